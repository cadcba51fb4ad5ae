import GatewayProtocol
import TestSupport
import Testing

@Suite struct JSONValueTests {
    private func parse(_ text: String, depth: Int = 32) throws(GatewayMessageError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), limits: JSONLimits(maximumDepth: depth))
    }

    private func code(_ text: String) -> GatewayMessageError.Code? {
        do {
            _ = try parse(text)
            return nil
        } catch {
            return error.code
        }
    }

    /// The maximum depth cannot be set beyond 512 levels, because each level takes space on the stack.
    @Test func theMaximumDepthIsLimited() {
        var limits = JSONLimits(maximumDepth: 100_000)
        #expect(limits.maximumDepth == 512)
        limits.maximumDepth = 100_000
        #expect(limits.maximumDepth == 512)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "-", "1e", "tru", "nul", "NaN", "Infinity",
        "'a'", "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "1 2", "[1 2]",
        "{\"a\" 1}", "\u{FEFF}1", "/**/1", "\"", "\"\\", "\"\\u00g0\"",
    ])
    func refusesWhatTheGrammarDoesNotHave(text: String) {
        #expect(code(text) == .malformed)
    }

    @Test func refusesDuplicateKeys() {
        #expect(code(#"{"a":1,"b":{"a":1}}"#) == nil)
        #expect(code(#"{"a":1,"a":1}"#) == .duplicateKey)
        #expect(code(#"[{"a":1,"\u0061":2}]"#) == .duplicateKey)
    }

    @Test func boundsDepthAndLength() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(code(nested(32)) == nil)
        #expect(code(nested(33)) == .tooDeep)
        #expect(code(String(repeating: "[", count: 60_000)) == .tooDeep)
        #expect(code(String(repeating: " ", count: 65_535) + "1") == nil)
        #expect(code(String(repeating: " ", count: 65_536) + "1") == .tooLong)
    }

    /// The number of values is limited. A value in JSON can be as short as two bytes, but takes dozens of bytes in
    /// memory, so that 16 MiB of them would take hundreds of megabytes.
    @Test func boundsTheNumberOfValues() throws {
        func code(_ text: String, values: Int = 262_144) -> GatewayMessageError.Code? {
            let limits = JSONLimits(maximumBytes: 16 << 20, maximumValues: values)
            do {
                _ = try JSONValue(parsing: Array(text.utf8), limits: limits)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code("[" + String(repeating: "0,", count: 8 << 20) + "0]") == .tooLong)
        #expect(code("[" + String(repeating: "0,", count: (8 << 20) - 2) + "0]") == .tooManyValues)
        #expect(code("[" + String(repeating: "0,", count: 262_142) + "0]") == nil, "the array and its 262,143 values")
        // Values count at any depth, in arrays and in objects.
        #expect(code(#"[[1],{"a":{"b":2}}]"#, values: 6) == nil)
        #expect(code(#"[[1],{"a":{"b":2}}]"#, values: 5) == .tooManyValues)
        #expect(code(#"{"a":[],"b":[]}"#, values: 2) == .tooManyValues)
    }

    @Test func refusesWhatIsNoUTF8() {
        #expect(throws: GatewayMessageError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: GatewayMessageError.self) { try JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func keepsNumbersExactly() throws {
        let literals = ["0", "-0", "1737264000000", "9223372036854775808", "0.1", "1e3", "1E-400", "1e400", "1.0"]
        for literal in literals { #expect(try parse(literal).encoded == Array(literal.utf8)) }
        #expect(try parse("1e3").int == 1_000)
        #expect(try parse("1.5").int == nil)
        #expect(try parse("9223372036854775808").int == nil)
        #expect(try parse("9007199254740993.0").int == nil)
        #expect(try parse("1e400").int == nil)
        #expect(try parse("true").int == nil)
    }

    @Test func readsEscapesAndWritesFew() throws {
        let value = try parse(#" {"b":"\u00e9\ud83e\udd16\/\t\u0000\"\\","a":[null,true]} "#)
        #expect(value["b"]?.string == "\u{E9}\u{1F916}/\t\0\"\\")
        #expect(
            String(decoding: value.encoded, as: UTF8.self)
                == "{\"a\":[null,true],\"b\":\"\u{E9}\u{1F916}/\\t\\u0000\\\"\\\\\"}"
        )
    }

    /// Unpaired surrogates are replaced if the limits say so, and refused otherwise. JSON.stringify writes them where a
    /// text was cut inside a pair (RFC 8259 §8.2).
    @Test(arguments: [
        (#""\ud83d""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\ude00""#, "\u{1F600}"),
        (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83dA""#, "\u{FFFD}A"),
        (#""\ud83d\ud83d\ude00""#, "\u{FFFD}\u{1F600}"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
    ])
    func halfOfAPairIsReplacedOnDemand(text: String, expected: String) throws {
        let limits = JSONLimits(replacesUnpairedSurrogates: true)
        #expect(try JSONValue(parsing: Array(text.utf8), limits: limits).string == expected)
        #expect(code(text) == (expected.contains("\u{FFFD}") ? .malformed : nil))
        for cut in [#""\ud83d"#, #""\ud83d\"#, #""\ud83d\u"#, #""\ud83d\ug""#] {
            #expect(throws: GatewayMessageError.self) { try JSONValue(parsing: Array(cut.utf8), limits: limits) }
        }
    }

    /// Every byte in a Unicode escape is tried, because the random bytes of the next test hardly ever follow `\u`.
    @Test func anyByteBehindAUnicodeEscapeIsADigitOrRefused() {
        for byte in UInt8.min ... .max {
            let isDigit = Character(Unicode.Scalar(byte)).isASCII && Character(Unicode.Scalar(byte)).isHexDigit
            let document = Array(#""\u00"#.utf8) + [byte, byte, UInt8(ascii: "\"")]
            #expect((try? JSONValue(parsing: document)) != nil || !isDigit, "byte \(byte)")
            #expect((try? JSONValue(parsing: document)) == nil || isDigit, "byte \(byte)")
        }
    }

    /// Random changes of valid documents are either read or refused, and never trap.
    @Test func anyBytesAreReadOrRefused() throws {
        var generator = SeededGenerator.forFuzzing("JSONValue")
        let samples = try Fixture.names().map { try Fixture($0).bytes }
        for _ in 0..<TestCases.count(5_000) {
            let bytes = generator.mutate(samples[Int(generator.next() % UInt64(samples.count))])
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            // A value that was read is written in a form that is read as the same value.
            #expect(try JSONValue(parsing: value.encoded) == value)
        }
    }

    @Test(arguments: [
        (0, "0"), (1, "0.001"), (10, "0.01"), (1_250, "1.25"), (12_345, "12.345"), (7_000, "7"), (-1_500, "-1.5"),
        (100_000_000_000_000_020, "100000000000000.02"),
    ])
    func thousandthsAreWrittenShort(value: Int, literal: String) {
        #expect(JSONNumber(thousandths: value).literal == literal)
    }

    @Test func controlsAreEscapedAsShortAsTheyCanBe() {
        let text = "\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}/"
        #expect(
            String(decoding: JSONValue.string(text).encoded, as: UTF8.self) == #""\b\t\n\f\r\u0000\u001f"# + "\u{7F}/\""
        )
    }
}
