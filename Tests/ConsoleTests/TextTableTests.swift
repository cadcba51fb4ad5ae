import Testing

@testable import Console

@Suite struct TextTableTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("🤖", 2), ("👨‍👩‍👧", 2), ("한글", 4), ("ｱ", 1), ("Ａ", 2),
        ("1\u{FE0F}\u{20E3}", 2), ("…", 1),
    ])
    func widthsAreThoseOfTerminals(text: String, cells: Int) {
        #expect(DisplayWidth.of(text) == cells)
    }

    @Test(arguments: [("abcdef", 4, "abc…"), ("漢字漢字", 4, "漢…"), ("漢字", 4, "漢字"), ("abc", 0, ""), ("abc", 1, "…")])
    func whatDoesNotFitEndsInAnEllipsis(text: String, cells: Int, result: String) {
        #expect(DisplayWidth.fit(text, in: cells) == result)
    }

    @Test func columnsLineUpUnderWideText() {
        let table = TextTable(
            columns: [TextTable.Column("NAME", minimum: 4), TextTable.Column("PORT", minimum: 4)],
            rows: [["漢字 🤖", "1"], ["abc", "22"]]
        )
        #expect(table.lines(width: nil) == ["NAME     PORT", "漢字 🤖  1", "abc      22"])
    }

    @Test(arguments: [
        ("[fe80::c448:faff]:18789 TLS", 15, "[fe8…:18789 TLS"), ("10.0.0.1:3000", 13, "10.0.0.1:3000"),
        ("abcdef", 3, "ab…"),
    ])
    func anAddressKeepsItsPort(text: String, cells: Int, result: String) {
        #expect(DisplayWidth.fitKeepingEnd(text, in: cells) == result)
    }

    /// Sentences stand below their rows before a column is left out, and the least useful column is left out first.
    @Test(arguments: 20...120) func theLeastUsefulColumnGoesFirst(width: Int) {
        let reason = "it is at another address than at pairing: clawradar trust 1a2b3c4d. Nothing is sent to it"
        let columns = [
            TextTable.Column("NAME", minimum: 8), TextTable.Column("ADDRESS", minimum: 15, rank: 1, keepsEnd: true),
            TextTable.Column("SINCE", minimum: 16, rank: 2, keepsEnd: true),
            TextTable.Column("MORE", minimum: 8, rank: 3),
            TextTable.Column("WHY", minimum: 12, isProse: true),
        ]
        let row = ["Home in the attic", "192.168.100.200:18789", "2026-11-26 12:00", "something", reason]
        let lines = TextTable(columns: columns, rows: [row]).lines(width: width).joined(separator: "\n")
        let titles = lines.prefix { $0 != "\n" }.split(separator: " ").map(String.init)
        let order = ["NAME", "ADDRESS", "SINCE", "MORE", "WHY"]
        #expect(titles == Array(order.prefix(titles.count)), "\(lines)")
        let bare = lines.filter { !$0.isWhitespace }
        #expect(bare.contains(reason.filter { !$0.isWhitespace }), "\(lines)")
    }
}
