internal import Agent
internal import Console
internal import Glibc
internal import Reports
internal import SystemPackage

/// The older configuration of bots at its usual place: `bots.json` beside the configuration. Whoever has paired nothing yet
/// is told how it is imported.
enum OlderConfiguration {
    /// Its path; `nil` without a home folder.
    static func path(environment: [String: String]) -> String? {
        ConfigurationFile(environment: environment).map {
            FilePath($0.path).removingLastComponent().appending("bots.json").string
        }
    }

    /// Returns the sentence that offers the import; `nil` if nothing is there.
    static func offer(
        environment: [String: String] = Environment.values(of: ConfigurationFile.variables)
    ) -> String? {
        guard let path = path(environment: environment), access(path, R_OK) == 0, let word = ShellWord(path: path)
        else { return nil }
        return "An older configuration of bots is there: `clawradar migrate \(word)` imports it."
    }

    /// Offers the import, if there is something.
    static func note() { if let offer = offer() { Notes.note(offer) } }
}
