/// Replaces the scalars that must not reach a terminal, one by one, with one scalar of look-ahead.
struct ScalarCleaner {
    private static let replacement: Unicode.Scalar = "\u{FFFD}"
    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let keycap: Unicode.Scalar = "\u{20E3}"

    /// The maximum number of combining marks on one base: more than any script needs, but few enough to stay within
    /// their line.
    private static let markLimit = 8

    /// The maximum number of joiners in one emoji: the longest recommended sequences have three.
    private static let joinerLimit = 4

    private var result = String.UnicodeScalarView()

    /// A joiner or variation selector that is kept only if the next scalar fits.
    private var pending: Unicode.Scalar?

    /// Indicates whether the scalar that was kept last can take a joiner.
    private var endsInEmoji = false

    /// Indicates whether the scalar that was kept last can take a variation selector. Each takes one only, since more
    /// could carry hidden bits.
    private var canTakeSelector = false

    private var marks = 0
    private var joiners = 0

    /// Takes the next scalar of the text.
    mutating func take(_ scalar: Unicode.Scalar) {
        if let waiting = pending {
            pending = nil
            settle(waiting, before: scalar)
        }
        switch scalar {
        case Self.joiner where endsInEmoji && joiners < Self.joinerLimit:
            pending = scalar
        case "\u{FE0E}" where canTakeSelector, "\u{FE0F}" where canTakeSelector:
            canTakeSelector = false
            result.append(scalar)
        case "\u{FE0F}" where result.last.map(Self.isKeycapBase) ?? false:
            pending = scalar
        default:
            append(scalar)
        }
    }

    /// Ends the text and returns it cleaned.
    mutating func finish() -> String {
        if pending != nil { append(Self.replacement) }
        pending = nil
        return String(result)
    }

    private mutating func settle(_ waiting: Unicode.Scalar, before next: Unicode.Scalar) {
        let fits = waiting == Self.joiner ? Self.isPictograph(next) : next == Self.keycap
        if fits {
            result.append(waiting)
            joiners += waiting == Self.joiner ? 1 : 0
        } else {
            append(Self.replacement)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        // Nearly every scalar of a name is one of these; looking it up in Unicode's tables would cost more.
        if scalar.value &- 0x20 < 0x5F {
            result.append(scalar)
            (marks, joiners, endsInEmoji, canTakeSelector) = (0, 0, false, false)
            return
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
            replace()
        case _ where scalar.properties.isDefaultIgnorableCodePoint:
            replace()
        case .nonspacingMark, .enclosingMark:
            appendMark(scalar)
        default:
            if result.last != Self.joiner, !scalar.properties.isEmojiModifier { joiners = 0 }
            // A skin tone belongs to the emoji before it; by itself it is not an emoji.
            endsInEmoji = Self.isPictograph(scalar) || (endsInEmoji && scalar.properties.isEmojiModifier)
            canTakeSelector = endsInEmoji
            marks = 0
            result.append(scalar)
        }
    }

    private mutating func appendMark(_ mark: Unicode.Scalar) {
        canTakeSelector = false
        // A mark without a base would be drawn on whatever the program printed before.
        guard !result.isEmpty, marks < Self.markLimit else {
            endsInEmoji = false
            result.append(Self.replacement)
            return
        }
        marks += 1
        result.append(mark)
    }

    private mutating func replace() {
        (marks, joiners, endsInEmoji, canTakeSelector) = (0, 0, false, false)
        result.append(Self.replacement)
    }

    /// Returns whether a scalar can come before or after a joiner.
    ///
    /// Unicode also counts ASCII digits (for keycaps), skin tones and the letters of flags as emoji; none of these can.
    private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.isEmoji && !scalar.properties.isEmojiModifier
            && !(0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func isKeycapBase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isEmoji
    }
}
