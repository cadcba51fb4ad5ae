/// The scalars of Unicode beside the marks to which interpreters give a meaning, in texts that a stranger may choose.
///
/// In Swift, a mark and the scalar after or before it can be one character, which is none that a program looks for; an
/// interpreter still reads the mark.
package enum HostileScalars {
    /// The marks to which shells, services and formats give a meaning.
    package static let marks = Array("'\"`$;|&<>(){}*?~!#\n\\@[]_:./-=%".unicodeScalars)

    /// All scalars.
    package static let all: [Unicode.Scalar] = (0...0x10_FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

    /// The scalars that form one character with a mark before or after them.
    package static let joining: [Unicode.Scalar] = all.filter { scalar in
        !scalar.isASCII && (joined("'", scalar).count == 1 || joined(scalar, "'").count == 1)
    }

    /// The scalars that join, those of Latin scripts, and some of the others.
    package static let some: [Unicode.Scalar] =
        joining + all.prefix(0x300) + all.enumerated().filter { $0.offset % 1_009 == 0 }.map(\.element)

    /// Texts with each of some scalars around each mark; if all cases are to run, also with each of all scalars around one.
    package static let texts: [(scalar: Unicode.Scalar, text: String)] =
        some.flatMap { scalar in marks.map { (scalar, text(scalar, around: $0)) } }
        + (TestCases.areAll ? all : []).map { ($0, text($0, around: marks[Int($0.value) % marks.count])) }

    /// Returns a text with a scalar before, between and after pairs of a mark.
    package static func text(_ scalar: Unicode.Scalar, around mark: Unicode.Scalar) -> String {
        joined(scalar, mark, scalar, mark, scalar)
    }

    /// Returns a text with a scalar before, between and after pairs of each of the marks.
    package static func text(_ scalar: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for mark in marks { scalars.append(contentsOf: [scalar, mark, scalar, mark, scalar]) }
        return String(scalars)
    }

    private static func joined(_ scalars: Unicode.Scalar...) -> String { String(String.UnicodeScalarView(scalars)) }

    /// Names that run a command in a shell that reads any part of them outside of quotation marks, with scalars that hide
    /// a mark from a program that looks for characters.
    package static let names: [String] = {
        let hiding = ["", "\u{301}", "\u{D4E}", "\u{200D}", "\u{20E3}", "\u{FE0F}", "\u{1F3FD}"]
        let marks = [
            "'", "\"", "`", "$(", "${x:-$(", ";", "|", "&", "<", ">", "(", ")", "{", "}", "*", "?", "~", "!", "#", "\n",
            "\\", "=",
        ]
        var names: [String] = []
        for hidden in hiding {
            for mark in marks {
                names.append("Home\(mark)\(hidden);touch canary;\(hidden)\(mark)")
                names.append("Home\(hidden)\(mark)touch canary\(mark)\(hidden)")
                names.append("\(mark)\(hidden)touch canary")
                names.append("Home \(hidden)\(mark)\(mark)$(touch canary)\(mark)")
            }
        }
        return names
    }()
}
