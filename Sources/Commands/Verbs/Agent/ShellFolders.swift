internal import SystemPackage

/// The folders of a user's files that the environment names (XDG Base Directory Specification), where they are not the
/// usual ones. A service has the usual ones, whatever a shell has in its startup files.
enum ShellFolders {
    /// The variables, each with the usual folder below that of the user.
    private static let usual = [
        "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state",
    ]

    /// The variables that determine them.
    static let variables = usual.keys.sorted() + ["HOME"]

    /// Returns the folders that are not the usual ones, by their variables.
    ///
    /// - Parameter environment: Those of the ``variables`` that are set.
    static func unusual(in environment: [String: String]) -> [String: String] {
        usual.reduce(into: [:]) { folders, item in
            // A relative path counts as none.
            guard let path = environment[item.key], path.hasPrefix("/") else { return }
            let own = environment["HOME"].map { FilePath($0).appending(item.value).lexicallyNormalized() }
            if FilePath(path).lexicallyNormalized() != own { folders[item.key] = path }
        }
    }
}
