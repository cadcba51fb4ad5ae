internal import Console
internal import SystemPackage

/// The desktop entry by which a desktop runs this program for links to gateways (Desktop Entry Specification).
struct LinkHandler: Hashable, Sendable {
    /// The schemes of the links.
    static let schemes = ["optaplus", "oc-pair"]

    /// The line by which a file is known as one of these.
    static let mark = "X-Clawradar=link"

    /// The path of the program.
    let program: String

    /// The text of the entry; `nil` if the path has a character that would have to be escaped there. A terminal is where the
    /// question stands if there is no agent whose page can ask it.
    var text: String? {
        let isPlain = program.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || " /._+-".utf8.contains(byte)
        }
        guard isPlain else { return nil }
        return """
            [Desktop Entry]
            Type=Application
            Name=clawradar
            Comment=Asks whether to pair with the gateway of a link
            Exec="\(program)" open -- %u
            Terminal=true
            NoDisplay=true
            MimeType=\(Self.schemes.map { "x-scheme-handler/\($0);" }.joined())
            \(Self.mark)

            """
    }

    /// Locates the file: `$XDG_DATA_HOME/applications`, or in `~/.local/share` where that variable is not set; `nil` without a
    /// home folder.
    static func file(environment: [String: String]) -> AgentUnitFile? {
        func absolute(_ name: String) -> FilePath? {
            environment[name].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        }
        let data = absolute("XDG_DATA_HOME") ?? absolute("HOME")?.appending(".local/share")
        return data.map { AgentUnitFile(path: $0.appending("applications/clawradar-link.desktop")) }
    }

    private static var own: AgentUnitFile? {
        let environment = Environment.values(of: ["XDG_DATA_HOME", "HOME"])
        // A user without a home, as some services have, gets none made.
        guard let home = environment["HOME"],
            let folder = try? FileDescriptor.open(FilePath(home), .readOnly, options: .directory)
        else { return nil }
        try? folder.close()
        return file(environment: environment)
    }

    /// Writes the entry. What does not succeed is a warning: links can be given to `clawradar pair` as well.
    func install() {
        guard let file = Self.own else { return }
        guard let text else {
            return Notes.warning("links are not opened by this program: its path cannot stand in a desktop entry.")
        }
        do throws(CommandFailure) {
            _ = try file.content(with: Self.mark)
            try file.write(text)
            Self.renew(file)
        } catch {
            Notes.warning("links are not opened by this program: \(error.message)")
        }
    }

    /// Removes the entry, if it is there and one of these.
    static func uninstall() {
        guard let file = own else { return }
        do throws(CommandFailure) {
            guard try file.content(with: mark) != nil else { return }
            try file.remove()
            renew(file)
        } catch {
            Notes.warning(error.message)
        }
    }

    /// Has the desktop read its entries again; one that has no such program does so by itself.
    private static func renew(_ file: AgentUnitFile) {
        let command = #"command -v update-desktop-database >/dev/null && exec update-desktop-database -q "$1""#
        _ = ServiceManagerCalls.run(["sh", "-c", command, "sh", file.path.removingLastComponent().string])
    }
}
