/// Names with other letters than those of ASCII: DNS has them as `xn--` and their Punycode (RFC 5890 §2.3.2.1).
extension DomainName {
    private static let prefix = "xn--"

    /// Reads a domain as a user types it: escaped, and each label with other letters than those of ASCII as servers have it.
    ///
    /// - Throws: As ``init(escaped:)`` does.
    package init(typed text: String) throws(DNSSDError) {
        var labels: [[UInt8]] = []
        for label in try DomainName(escaped: text).labels {
            let isASCII = label.allSatisfy { $0 < 0x80 }
            let letters = isASCII ? nil : String(validating: label, as: UTF8.self)
            let code = letters.flatMap { Punycode.encode($0.lowercased()) }
            labels.append(code.map { Array((Self.prefix + $0).utf8) } ?? Array(label))
        }
        try self.init(labels: labels)
    }

    /// The name for people, cleaned. Where it has other letters than those of ASCII, these come first and the name as DNS has it
    /// after them: letters of several scripts look alike.
    package var shown: String {
        let name = DisplayText(escaped).text
        var isOther = false
        let letters = labels.map { label in
            guard let letters = Self.letters(label) else { return Self.escape(label) }
            isOther = true
            return letters
        }
        return isOther ? "\(DisplayText(letters.joined(separator: "."))) (\(name))" : name
    }

    /// Returns what a label stands for; `nil` unless it is the very code of letters that a user could type.
    private static func letters(_ label: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: label.map(ASCIICase.lowered), as: UTF8.self)
        guard text.hasPrefix(prefix), let letters = Punycode.decode(String(text.dropFirst(prefix.count))),
            Punycode.encode(letters) == String(text.dropFirst(prefix.count)),
            DisplayText(letters).text == letters, letters.unicodeScalars.contains(where: { !$0.isASCII }),
            letters.unicodeScalars.allSatisfy({
                !$0.isASCII || $0.properties.isAlphabetic || "-0123456789".unicodeScalars.contains($0)
            })
        else { return nil }
        return letters
    }
}

/// The code by which letters are written in those of ASCII (RFC 3492).
enum Punycode {
    private static let (base, least, most, skew, damping) = (36, 1, 26, 38, 700)
    private static let (firstBias, firstOther) = (72, 0x80)

    /// Returns the code of a text; `nil` if it is longer than a label can be.
    static func encode(_ text: String) -> String? {
        let scalars = text.unicodeScalars.map { Int($0.value) }
        guard scalars.count <= DomainName.maximumLabelLength else { return nil }
        var output = scalars.filter { $0 < firstOther }.map { UInt8($0) }
        let plain = output.count
        var (next, delta, bias, done) = (firstOther, 0, firstBias, plain)
        if plain > 0 { output.append(UInt8(ascii: "-")) }
        while done < scalars.count, let lowest = scalars.filter({ $0 >= next }).min() {
            delta += (lowest - next) * (done + 1)
            next = lowest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                var rest = delta
                for step in 1... {
                    let threshold = min(max(step * base - bias, least), most)
                    guard rest >= threshold else { break }
                    output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                }
                output.append(digit(rest))
                bias = adapted(delta, done + 1, isFirst: done == plain)
                (delta, done) = (0, done + 1)
            }
            (delta, next) = (delta + 1, next + 1)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the text of a code; `nil` if it is none.
    static func decode(_ code: String) -> String? {
        let bytes = Array(code.utf8)
        guard bytes.count <= DomainName.maximumLabelLength, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let plain = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
        var output = bytes[..<plain].map { Int($0) }
        var (next, index, bias) = (firstOther, 0, firstBias)
        var rest = bytes[(plain > 0 ? plain + 1 : 0)...]
        while !rest.isEmpty {
            let former = index
            var weight = 1
            for step in 1... {
                guard let byte = rest.popFirst(), let value = value(byte), index < 1 << 40, weight < 1 << 40 else {
                    return nil
                }
                index += value * weight
                let threshold = min(max(step * base - bias, least), most)
                if value < threshold { break }
                weight *= base - threshold
            }
            let count = output.count + 1
            bias = adapted(index - former, count, isFirst: former == 0)
            next += index / count
            index %= count
            output.insert(next, at: index)
            index += 1
        }
        var text = ""
        for value in output {
            guard let scalar = UInt32(exactly: value).flatMap({ Unicode.Scalar($0) }) else { return nil }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - least) * most / 2 {
            delta /= base - least
            steps += base
        }
        return steps + (base - least + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < most ? value + 0x61 : value - most + 0x30)
    }

    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7A: Int(byte) - 0x61
        case 0x30...0x39: Int(byte) - 0x30 + most
        default: nil
        }
    }
}
