internal import Reports

/// A name with spaces whose words were taken for several arguments, since it was not quoted.
enum UnquotedName {
    /// The verbs that take one name, and the number of arguments after it.
    static let verbsWithName: [String: Int] = [
        "probe": 0, "doctor": 0, "pair": 0, "unpair": 0, "disconnect": 0, "trust": 0, "forget": 0, "restore": 0,
        "archive": 0, "accent": 1, "link": 0, "history": 0, "mute": 0, "approvals": 0, "alias": 1, "call": 1,
    ]

    /// Returns the advice to quote the name in arguments of which there are too many; `nil` if they can have none.
    static func advice(_ typed: [String]) -> String? {
        guard let verb = typed.first, let others = verbsWithName[verb] else { return nil }
        let words = typed.dropFirst().prefix { !$0.hasPrefix("-") }
        let name = words.dropLast(others)
        guard name.count > 1, name.allSatisfy({ if case .name? = try? ProbeSubject($0) { true } else { false } }) else {
            return nil
        }
        let command =
            ["clawradar", verb, ShellWord(name: name.joined(separator: " "))?.description ?? "NAME"]
            + words.suffix(others)
        return "Quote a name with spaces: \(command.joined(separator: " "))"
    }
}
