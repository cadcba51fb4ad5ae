internal import Yams

/// A sink put into the text of a configuration, of which everything else stays as it is: comments, order and spaces. A value.
struct SinkInsertion {
    /// The text as scalars, which are what positions of YAML count.
    private let scalars: [Unicode.Scalar]
    private let entry: String

    /// The indices at which the lines begin.
    private let lines: [Int]

    /// Returns the text with the entry; `nil` where its shape has no place for it that is known to be one.
    static func text(of content: String, with entry: String) -> String? {
        guard let root = try? Yams.compose(yaml: content) else {
            return SinkInsertion(content, entry).atEnd(indent: 0)
        }
        return SinkInsertion(content, entry).into(root)
    }

    private init(_ content: String, _ entry: String) {
        let scalars = Array(content.unicodeScalars)
        self.scalars = scalars
        lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
        self.entry = entry
    }

    private func into(_ root: Node) -> String? {
        guard let value = SettingsDocument.value(root) else { return atEnd(indent: 0) }
        guard case .mapping(let root) = value, !isBracketed(root.mark) else { return nil }
        guard let (key, notify) = root.first(where: { $0.key.string == "notify" }) else {
            return root.first?.key.mark.flatMap { atEnd(indent: $0.column - 1) }
        }
        guard let value = SettingsDocument.value(notify) else {
            return below(key, indent: nil) { "\($0)sinks:\n\($0)  - \(entry)\n" }
        }
        guard case .mapping(let mapping) = value else { return nil }
        guard let (name, sinks) = mapping.first(where: { $0.key.string == "sinks" }) else {
            if isBracketed(mapping.mark) {
                return behind(mapping.mark, "sinks: [\(entry)]", isAlone: mapping.isEmpty)
            }
            return below(key, indent: mapping.first?.key.mark) { "\($0)sinks:\n\($0)  - \(entry)\n" }
        }
        guard let value = SettingsDocument.value(sinks) else {
            return below(name, indent: nil) { "\($0)- \(entry)\n" }
        }
        guard case .sequence(let sequence) = value else { return nil }
        if isBracketed(sequence.mark) { return behind(sequence.mark, entry, isAlone: sequence.isEmpty) }
        // Before the others, since comments above an entry belong to it.
        return below(name, indent: sequence.mark) { "\($0)- \(entry)\n" }
    }

    /// Adds lines to the end.
    private func atEnd(indent: Int) -> String {
        let space = String(repeating: " ", count: indent)
        let separator = scalars.isEmpty || scalars.last == "\n" ? "" : "\n"
        return inserted("\(separator)\(space)notify:\n\(space)  sinks:\n\(space)    - \(entry)\n", at: scalars.count)
    }

    /// Adds lines below the line of a key.
    ///
    /// - Parameters:
    ///   - indent: The first of what is below it already, with which the lines begin; `nil` if there is nothing.
    ///   - text: Returns the lines for the space at their beginning.
    private func below(_ key: Node, indent: Mark?, _ text: (String) -> String) -> String? {
        guard let mark = key.mark, lines.indices.contains(mark.line - 1) else { return nil }
        let space = String(repeating: " ", count: indent.map { $0.column - 1 } ?? mark.column + 1)
        guard lines.indices.contains(mark.line) else { return inserted("\n" + text(space), at: scalars.count) }
        return inserted(text(space), at: lines[mark.line])
    }

    /// Adds the first entry of a list or a mapping within brackets.
    private func behind(_ bracket: Mark?, _ text: String, isAlone: Bool) -> String? {
        index(bracket).map { inserted(isAlone ? text : text + ", ", at: $0 + 1) }
    }

    /// Returns `true` if a list or a mapping begins with a bracket. Its `style` does not tell: Yams reads it from the
    /// event with which the collection ends.
    private func isBracketed(_ beginning: Mark?) -> Bool {
        index(beginning).map { scalars[$0] == "[" || scalars[$0] == "{" } ?? false
    }

    private func index(_ mark: Mark?) -> Int? {
        guard let mark, lines.indices.contains(mark.line - 1) else { return nil }
        let place = lines[mark.line - 1] + mark.column - 1
        return scalars.indices.contains(place) ? place : nil
    }

    private func inserted(_ text: String, at place: Int) -> String {
        var result = String.UnicodeScalarView()
        result += scalars[..<place]
        // Line breaks are those of the file.
        let before = lines.count > 1 ? lines[1] - 2 : -1
        let isDOS = before >= 0 && scalars[before] == "\r"
        result += (isDOS ? text.replacing("\n", with: "\r\n") : text).unicodeScalars
        result += scalars[place...]
        return String(result)
    }
}
