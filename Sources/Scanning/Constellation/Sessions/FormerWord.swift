extension CaseIterable where Self: RawRepresentable<String> {
    /// Returns the case of a word, also of one by which older versions called it: recordings have those, and what other
    /// processes say.
    package static func read(_ word: String) -> Self? {
        let present =
            switch word {
            case "changed-leaf", "changedLeaf": "changed-certificate"
            case "away": "gone"
            default: word
            }
        return allCases.first { $0.rawValue == present }
    }
}
