import ArgumentParser
import Foundation
import Testing

@testable import Commands

/// `notify add`: what is typed becomes a sink of the configuration.
@Suite(.timeLimit(.minutes(1))) struct NotifyAddCommandTests {
    /// Each kind of sink has an option, relative paths begin in the folder of the command, and an address stays one.
    @Test(arguments: [
        (["phone", "--ntfy", "ntfy-url"], "{name: phone, webhook-file: \"/home/me/ntfy-url\", form: ntfy}"),
        (["phone", "--ntfy", "/f/url"], "{name: phone, webhook-file: \"/f/url\", form: ntfy}"),
        (["phone", "--ntfy", "https://n.sh/t"], "{name: phone, webhook: \"https://n.sh/t\", form: ntfy}"),
        (["a", "--slack", "../s"], "{name: a, webhook-file: \"/home/s\", form: slack}"),
        (["a", "--discord", "d"], "{name: a, webhook-file: \"/home/me/d\", form: discord}"),
        (["a", "--home-assistant", "h"], "{name: a, webhook-file: \"/home/me/h\", form: home-assistant}"),
        (
            ["a", "--webhook", "w", "--token-file", "t", "--ca-file", "c"],
            "{name: a, webhook-file: \"/home/me/w\", token-file: \"/home/me/t\", ca-file: \"/home/me/c\"}"
        ),
        (["a", "--desktop"], "{name: a, desktop: true}"),
        (["a", "--mail", "me@example.org"], "{name: a, mail: \"me@example.org\"}"),
        (["a", "--exec", "/bin/tell", "--urgent", "x y"], "{name: a, exec: [\"/bin/tell\", \"--urgent\", \"x y\"]}"),
    ])
    func whatIsTypedIsASink(arguments: [String], entry: String) throws {
        let command = try #require(try NotifyAddCommand.parseAsRoot(arguments) as? NotifyAddCommand)
        #expect(command.entry(in: "/home/me") == entry)
    }

    /// One sink has one kind.
    @Test(arguments: [["a"], ["a", "--desktop", "--mail", "me@example.org"], ["a", "--ntfy", "x", "--slack", "y"]])
    func aSinkHasOneKind(arguments: [String]) {
        #expect(throws: (any Error).self) { try NotifyAddCommand.parseAsRoot(arguments) }
    }

    /// Runs the command with a configuration of its own.
    private static func run(
        _ arguments: [String],
        content: String?,
        mode: Int = 0o600
    ) async throws -> (result: Tool.Result, content: String?, path: String) {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: folder) }
        let own = folder.appending(path: "clawradar")
        let path = own.appending(path: "config.yaml").path
        if let content {
            try manager.createDirectory(at: own, withIntermediateDirectories: true)
            try Data(content.utf8).write(to: URL(filePath: path))
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let places = ["XDG_CONFIG_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let result = try await Tool.run(["notify", "add"] + arguments, environment: places)
        return (result, manager.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }, path)
    }

    /// The result names the file, and the command that tries the sink.
    @Test func itSaysWhatIsNext() async throws {
        let (result, content, path) = try await Self.run(["desk", "--desktop"], content: nil)
        #expect(result.status == 0, "\(result.errors)")
        #expect(content == "notify:\n  sinks:\n    - {name: desk, desktop: true}\n")
        #expect(result.output.contains(path) && result.output.contains("an agent that runs takes it up"))
        #expect(result.errors.hasSuffix("next: clawradar notify test desk\n"), "\(result.errors)")
    }

    /// Where nothing is written, the message says what to add, without the address, which can be a secret.
    @Test func whatIsNotWrittenIsSaid() async throws {
        let address = "https://ntfy.example/s3cret"
        let (result, content, _) = try await Self.run(["phone", "--ntfy", address], content: "{port: 7417}\n")
        #expect(result.status == 69 && content == "{port: 7417}\n")
        #expect(result.errors.contains("- {name: phone, webhook: \"…\", form: ntfy}"), "\(result.errors)")
        #expect(!result.errors.contains("s3cret"))
    }

    /// The address of a webhook is not put where others read it; the path of a file with it is.
    @Test func anAddressIsForItsUserAlone() async throws {
        let content = "port: 7417\n"
        let open = try await Self.run(["phone", "--ntfy", "https://n.sh/t"], content: content, mode: 0o644)
        #expect(open.result.status == 69 && open.content == content)
        #expect(open.result.errors.contains("chmod 600"), "\(open.result.errors)")
        let file = try await Self.run(["phone", "--ntfy", "/nowhere/url"], content: content, mode: 0o644)
        #expect(file.result.status == 0, "\(file.result.errors)")
        #expect(file.result.errors.contains("expected the file /nowhere/url, found none"), "\(file.result.errors)")
    }

    /// A name is there once.
    @Test func aNameIsNotGivenTwice() async throws {
        let content = "notify: {sinks: [{name: desk, desktop: true}]}\n"
        let (result, found, _) = try await Self.run(["desk", "--mail", "me@example.org"], content: content)
        #expect(result.status == 64 && found == content)
        #expect(result.errors.contains("which another sink has"), "\(result.errors)")
    }
}
