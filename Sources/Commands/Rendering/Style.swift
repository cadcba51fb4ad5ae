/// Colours and weights of a terminal, or none.
struct Style: Sendable {
    let isOn: Bool

    func dim(_ text: String) -> String { styled(text, "2") }
    func bold(_ text: String) -> String { styled(text, "1") }
    func green(_ text: String) -> String { styled(text, "32") }
    func yellow(_ text: String) -> String { styled(text, "33") }

    private func styled(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
