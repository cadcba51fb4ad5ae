import ArgumentParser
import Console
import SystemPackage
import Testing

@testable import Commands

/// The desktop entry for links, and the address of the page.
@Suite struct LinkHandlerTests {
    /// The link is one argument, which is no option, whatever it begins with.
    @Test func theEntryRunsTheProgramWithOneArgument() throws {
        let text = try #require(LinkHandler(program: "/opt/my tools/clawradar").text)
        #expect(text.contains("\nExec=\"/opt/my tools/clawradar\" open -- %u\n") && text.contains(LinkHandler.mark))
        #expect(text.contains("\nMimeType=x-scheme-handler/optaplus;x-scheme-handler/oc-pair;\n"))
    }

    /// A path that would have to be escaped is no entry: another program could be run.
    @Test(arguments: ["/a/\"b", "/a/$b", "/a/%u", "/a\nb", "/a/`b`", "/a\\b", "/ä"])
    func aPathThatMeansSomethingElseIsRefused(program: String) {
        #expect(LinkHandler(program: program).text == nil)
    }

    @Test func theEntryIsWhereTheDesktopLooks() {
        let home = ["HOME": "/home/a"]
        let path = "applications/clawradar-link.desktop"
        #expect(LinkHandler.file(environment: home)?.path.string == "/home/a/.local/share/\(path)")
        let data = home.merging(["XDG_DATA_HOME": "/d"]) { $1 }
        #expect(LinkHandler.file(environment: data)?.path.string == "/d/\(path)")
        #expect(LinkHandler.file(environment: [:]) == nil)
    }

    /// From another machine the page is reached by the same port, which its address names.
    @Test func theAddressIsPrintedWithTheWayFromElsewhere() {
        let way = PageWay(port: 41_000, address: "http://127.0.0.1:41000/#login=x", file: nil)
        let text = way.text(user: "me", host: "box")
        #expect(text.hasPrefix("http://127.0.0.1:41000/#login=x\n"))
        #expect(text.hasSuffix("\nssh -L 41000:127.0.0.1:41000 me@box\n"))
    }

    /// Nothing but the two kinds of links is passed on.
    @Test(arguments: ["https://example.org", "optaplus", "file:///etc/passwd", "", "-x", "optaplus:rubbish"])
    func anotherTextIsNotOpened(text: String) async throws {
        let command = try OpenCommand.parse(["--", text])
        let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(failure?.status == .usage)
    }
}
