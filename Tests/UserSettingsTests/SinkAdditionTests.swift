import Foundation
import Testing

@testable import Agent

/// Sinks that are added to a configuration which its user has written, and keeps.
@Suite struct SinkAdditionTests {
    private static let draft = SinkDraft(
        name: "phone",
        [("webhook-file", SinkDraft.quoted("/home/me/a \"b\"")), ("form", "ntfy")]
    )
    private static let entry = #"{name: phone, webhook-file: "/home/me/a \"b\"", form: ntfy}"#

    /// Adds the sink to a file with a content in a folder of its own.
    private static func add(
        _ draft: SinkDraft = draft,
        to content: String?,
        mode: Int = 0o600
    ) throws -> (result: Result<NoticeSink, SinkAdditionError>, content: String?, mode: Int?) {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appending(path: "sinks-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: folder) }
        let path = folder.appending(path: "clawradar/config.yaml").path
        if let content {
            try manager.createDirectory(
                at: folder.appending(path: "clawradar"),
                withIntermediateDirectories: true
            )
            try Data(content.utf8).write(to: URL(filePath: path))
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let result: Result<NoticeSink, SinkAdditionError>
        do throws(SinkAdditionError) {
            result = .success(try ConfigurationFile(path: path).add(draft))
        } catch {
            result = .failure(error)
        }
        let found = manager.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let attributes = try? manager.attributesOfItem(atPath: path)
        return (result, found, attributes?[.posixPermissions] as? Int)
    }

    /// The text gets a line, or a part of one, and is otherwise what it was: `+` marks the place.
    @Test(arguments: [
        ("+", "notify:\n  sinks:\n    - ENTRY\n"),
        ("# mine\n+", "notify:\n  sinks:\n    - ENTRY\n"),
        ("port: 7417 # mine+", "\nnotify:\n  sinks:\n    - ENTRY\n"),
        ("port: 7417\n\n# end\n+", "notify:\n  sinks:\n    - ENTRY\n"),
        ("notify: # mine\n+port: 7417\n", "  sinks:\n    - ENTRY\n"),
        ("notify:+", "\n  sinks:\n    - ENTRY\n"),
        ("notify:\n+    # calm\n    watch: all\nport: 7417\n", "    sinks:\n      - ENTRY\n"),
        ("notify:\n  sinks:\n+  watch: all\n", "    - ENTRY\n"),
        ("notify:\n  sinks:\n+    # the desk\n    - name: desk\n      desktop: true\n", "    - ENTRY\n"),
        ("notify:\n  sinks:\n+  - {name: desk, desktop: true}\n  watch: all\n", "  - ENTRY\n"),
        ("notify: {+watch: all}\n", "sinks: [ENTRY], "),
        ("notify: {+}\n", "sinks: [ENTRY]"),
        ("notify: {watch: [Ä], sinks: [+{name: desk, desktop: true}]}\n", "ENTRY, "),
        ("notify:\n  sinks: [+] # none\n", "ENTRY"),
        ("notify:\r\n  sinks:\r\n+    - {name: desk, desktop: true}\r\n", "    - ENTRY\r\n"),
    ])
    func onlyTheSinkIsNew(before: String, added: String) throws {
        let (result, content, mode) = try Self.add(to: before.replacing("+", with: ""))
        #expect(content == before.replacing("+", with: added.replacing("ENTRY", with: Self.entry)))
        #expect(mode == 0o600)
        let sink = try result.get()
        #expect(sink.name == "phone")
        #expect(sink.channel == .webhook(Webhook(.file("/home/me/a \"b\""), form: .ntfy)))
    }

    /// A file that is not there is made with its folder, for this user alone.
    @Test func theFileIsMade() throws {
        let (result, content, mode) = try Self.add(to: nil)
        #expect(throws: Never.self) { try result.get() }
        #expect(content == "notify:\n  sinks:\n    - \(Self.entry)\n" && mode == 0o600)
    }

    /// A file that others may read stays so: a service of the user's may read it.
    @Test func theModeIsKept() throws {
        #expect(try Self.add(to: "port: 7417\n", mode: 0o644).mode == 0o644)
    }

    /// A name is there once, a sink is checked as the file is, and a wrong file is not made worse.
    @Test func whatIsWrongIsNotWritten() throws {
        func refused(_ content: String, _ draft: SinkDraft = Self.draft) throws -> SinkAdditionError? {
            let (result, found, _) = try Self.add(draft, to: content)
            #expect(found == content)
            guard case .failure(let error) = result else { return nil }
            return error
        }
        let twice = try refused("notify: {sinks: [{name: phone, desktop: true}]}\n")
        guard case .wrongSink(let problems)? = twice else { throw ConfigurationProblem("\(String(describing: twice))") }
        #expect(problems.map(\.description) == ["name: expected one of its own, found “phone”, which another sink has"])
        let relative = try refused("port: 7417\n", SinkDraft(name: "log", [("exec", "[tell]")]))
        guard case .wrongSink(let problems)? = relative else {
            throw ConfigurationProblem("\(String(describing: relative))")
        }
        #expect(problems.first?.description.hasPrefix("exec: expected the program as a path") == true)
        guard case .wrongFile? = try refused("other: 1\n") else { throw ConfigurationProblem("was not wrong") }
        let full = (1...16).map { "{name: s\($0), desktop: true}" }.joined(separator: ", ")
        guard case .notEdited? = try refused("notify: {sinks: [\(full)]}\n") else {
            throw ConfigurationProblem("was not full")
        }
    }

    /// A shape with no safe place is left alone, and never written wrongly.
    @Test(arguments: [
        "{port: 7417}\n", "--- {notify: {watch: all}}\n", "port: 7417\n...\n", "notify: ~\n",
        "notify: !!map\n  sinks: ~\n", "notify:\n  watch: &a [Home]\n  sinks: null # none\n",
    ])
    func anUnusualShapeIsLeftAlone(content: String) throws {
        let (result, found, _) = try Self.add(to: content)
        guard case .failure(.notEdited) = result else {
            // What is written all the same is what the reader takes for the sink and everything that was there.
            #expect(throws: Never.self) { try result.get() }
            return
        }
        #expect(found == content)
    }

    /// A text is the same after it has been written and read, whatever is in it.
    @Test(arguments: [
        "plain", "true", "a: b", "#x", "a, b]", "\"\\'", "ä\u{1F600}\u{85}\u{2028}", "\t\u{1}\u{7F}", "", "- x", "*a",
        "1",
    ])
    func aTextIsQuoted(text: String) throws {
        let draft = SinkDraft(name: "log", [("exec", "[/bin/x, \(SinkDraft.quoted(text))]")])
        #expect(try Self.add(draft, to: nil).result.get().channel == .exec(["/bin/x", text]))
    }
}
