import DNSSD
import TestSupport
import Testing

@Suite struct DisplayTextTests {
    @Test(arguments: [
        "Home Gateway", "Größe", "家のゲートウェイ", "شبكة", "हिन्दी", "ไทยนี้", "Việt Nam", "cafe\u{301}",
        "👨‍👩‍👧", "🦞", "👍🏽", "❤️", "🏳️‍🌈", "👩🏽‍❤️‍💋‍👨🏿", "1️⃣", "🇨🇭", "☎︎",
    ])
    func leavesWhatPeopleWriteAlone(text: String) {
        #expect(DisplayText(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [
        "\u{00}", "\u{07}", "\u{1B}", "\r", "\n", "\t", "\u{7F}", "\u{80}", "\u{85}", "\u{9B}",
        "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
        "\u{200E}", "\u{200F}", "\u{061C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}",
        "\u{2028}", "\u{2029}", "\u{E000}", "\u{F8FF}", "\u{E0041}", "\u{E007F}", "\u{FFFE}", "\u{3164}", "\u{00AD}",
        "\u{FE0F}", "\u{FE00}", "\u{E0100}", "\u{034F}", "\u{180E}",
    ])
    func replacesWhatMustNotReachATerminal(text: String) {
        #expect(DisplayText("a\(text)b").text == "a\u{FFFD}b")
        #expect(DisplayText(text).text == "\u{FFFD}")
    }

    @Test func joinersStayOnlyInsideEmoji() {
        #expect(DisplayText("👨\u{200D}x").text == "👨\u{FFFD}x")
        #expect(DisplayText("👨\u{200D}").text == "👨\u{FFFD}")
        #expect(DisplayText("👨\u{200D}\u{200D}👩").text == "👨\u{FFFD}\u{FFFD}👩")
        #expect(DisplayText("❤\u{FE0F}\u{FE0F}\u{FE0E}").text == "❤\u{FE0F}\u{FFFD}\u{FFFD}")
        #expect(DisplayText("1\u{FE0F}x").text == "1\u{FFFD}x")
    }

    @Test func marksNeedABaseAndHaveALimit() {
        #expect(DisplayText("\u{301}a").text == "\u{FFFD}a")
        let zalgo = "a" + String(repeating: "\u{301}", count: 1_000)
        #expect(DisplayText(zalgo, limit: 4).text.unicodeScalars.count < 20)
    }

    @Test func cutsAtCharactersAndShowsIt() {
        #expect(DisplayText("abcdef", limit: 6).text == "abcdef")
        #expect(DisplayText("abcdef", limit: 5).text == "abcd…")
        #expect(DisplayText("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", limit: 2).text == "👨‍👩‍👧…")
        #expect(DisplayText("abc", limit: 0).text == "…")
        #expect(DisplayText("abc", limit: .min).text == "…")
        #expect(DisplayText("abc", limit: .max).text == "abc")
        #expect(DisplayText("", limit: 0).text == "")
    }

    @Test func aCharacterWithoutAnEndIsCutToo() {
        let chain = String(repeating: "\u{1100}", count: 100_000)
        #expect(DisplayText(chain, limit: 3).text.unicodeScalars.count <= 3)
        let family = String(repeating: "👨\u{200D}", count: 100_000)
        #expect(DisplayText(family, limit: 3).text.unicodeScalars.count <= 48)
    }

    @Test func cleaningTwiceChangesNothing() {
        var random = SeededGenerator.forFuzzing("display text")
        let parts = [
            "a", "👨", "\u{200D}", "\u{FE0F}", "1", "\u{20E3}", "\u{301}", "\u{1B}", "🏽", "\u{FFFD}", "\u{1100}", "🇨",
        ]
        for _ in 0..<5_000 {
            let text = (0..<random.next() % 24).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let limit = Int(random.next() % 20)
            let once = DisplayText(text, limit: limit)
            #expect(DisplayText(once.text, limit: limit) == once)
            #expect(once.text.count <= max(limit, 1))
        }
    }
}
