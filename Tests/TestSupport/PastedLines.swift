internal import Foundation

/// A shell into which people paste the commands that a program prints.
package enum PastingShell: String, CaseIterable, Sendable {
    case sh
    case bash
    case zsh
    case fish

    /// The command that reads lines from standard input, without the settings of a user.
    ///
    /// - Parameter isTyping: Whether it takes them as it does from a person, so that `!` has its meaning.
    fileprivate func command(isTyping: Bool) -> [String] {
        let options =
            switch self {
            case .sh: [String]()
            case .bash: ["--norc", "--noprofile"]
            case .zsh: ["-f"]
            case .fish: ["--no-config"]
            }
        return [rawValue] + options + (isTyping ? ["-i"] : [])
    }
}

/// Lines that were pasted into a shell, and what came of them: `clawradar` is a program there that notes its arguments. Whatever
/// else a printed command names does nothing.
package struct PastedLines {
    /// The arguments of each call of `clawradar`, in order.
    package let calls: [[String]]

    /// The files that are in the folder of the shell now: none unless something else has run.
    package let files: [String]

    private static let others = [
        "sudo", "openssl", "ip", "ss", "timedatectl", "openclaw", "clawdbot", "chmod", "systemctl", "sed", "nft",
    ]

    /// Pastes lines into a shell, and waits until it has run them.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - shell: The shell.
    ///   - isTyping: Whether the shell takes them as it does from a person.
    package init(_ lines: [String], into shell: PastingShell, isTyping: Bool) throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "clawradar-paste-\(UUID())")
        defer { try? files.removeItem(at: folder) }
        for name in ["bin", "home", "work"] {
            try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let note = folder.appending(path: "calls")
        let own = "#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" >>'\(note.path)'\n"
        for (name, script) in [("clawradar", own)] + Self.others.map({ ($0, "#!/bin/sh\nexit 0\n") }) {
            let file = folder.appending(path: "bin/\(name)")
            try Data(script.utf8).write(to: file)
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
        let input = folder.appending(path: "input")
        try Data((lines + ["exit"]).joined(separator: "\n").utf8).write(to: input)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60"] + shell.command(isTyping: isTyping)
        process.environment = [
            "PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": "\(folder.path)/home", "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        ]
        process.currentDirectoryURL = folder.appending(path: "work")
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        var parts = ((try? Data(contentsOf: note)) ?? Data()).split(separator: 0, omittingEmptySubsequences: false)[...]
        var calls: [[String]] = []
        while let count = parts.popFirst().flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) {
            calls.append(parts.prefix(count).map { String(decoding: $0, as: UTF8.self) })
            parts = parts.dropFirst(count)
        }
        self.calls = calls
        self.files = try files.contentsOfDirectory(atPath: folder.appending(path: "work").path)
    }

    /// Returns the first way in which pasting lines into any shell does something else than calling `clawradar` with these
    /// arguments; `nil` if there is none.
    package static func problem(_ lines: [String], _ expected: [[String]]) throws -> String? {
        for shell in PastingShell.allCases {
            for isTyping in [false, true] {
                let pasted = try PastedLines(lines, into: shell, isTyping: isTyping)
                let title = "\(shell.rawValue)\(isTyping ? " -i" : "")"
                guard pasted.files.isEmpty else { return "\(title): something has run: \(pasted.files)" }
                // Byte for byte: Swift takes different bytes for one text.
                let (found, wanted) = (
                    pasted.calls.map { $0.map { Array($0.utf8) } }, expected.map { $0.map { Array($0.utf8) } }
                )
                guard found != wanted else { continue }
                let index = zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset
                guard let index else { return "\(title): \(found.count) calls instead of \(wanted.count)" }
                let word = zip(pasted.calls[index], expected[index]).first { Array($0.utf8) != Array($1.utf8) }
                return "\(title): call \(index) has \(word?.0 ?? "another number") instead of \(word?.1 ?? "of words")"
            }
        }
        return nil
    }
}
