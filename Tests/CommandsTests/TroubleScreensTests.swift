import DNSSD
import Reports
import Testing

@testable import Commands
@testable import Console

/// What helps in trouble is read whole on every terminal: no command, time or reason is cut. A command that is cut cannot be
/// copied, and half a reason sends people the wrong way.
@Suite struct TroubleScreensTests {
    private static let command = "clawradar trust 1a2b3c4d --trust address"
    private static let reason =
        "it is at another address than at pairing, 192.168.100.200:18789: nothing is sent to it. To accept it: \(command)"

    /// No line is wider than the terminal, unless it is one command, address or digest; all of these are in one piece, and
    /// the reasons and times are whole.
    @Test(arguments: [40, 60, 80, 120], Trouble.all) func nothingThatHelpsIsCut(width: Int, trouble: Trouble) throws {
        func bare(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        for screen in try trouble.screens() {
            let text = screen.text(width)
            let what = "\(screen.verb), \(width) columns:\n\(text)"
            for whole in screen.whole {
                #expect(bare(text).contains(bare(DisplayText(sentence: whole).text)), "\(whole) in \(what)")
            }
            let lines = text.split(separator: "\n").map(String.init)
            for piece in screen.pieces where !screen.isLive || DisplayWidth.of(piece) + 8 <= width {
                #expect(lines.contains { $0.contains(piece) }, "\(piece) in \(what)")
            }
            for line in lines {
                #expect(DisplayText(line, limit: 4_096).text == line, "\(line.debugDescription) in \(what)")
                let word = line.split(separator: " ").joined(separator: " ").trimmingPrefix("(")
                // The commands of a reason are pieces as well.
                let isPiece =
                    screen.pieces.contains { word.hasPrefix($0) && word.count <= $0.count + 2 }
                    || word.hasPrefix("clawradar ") && screen.whole.contains { $0.contains(word) }
                if !screen.isLive, isPiece { continue }
                #expect(DisplayWidth.of(line) <= width, "\(line) in \(what)")
            }
            // A column of times is there or not, and its times are whole.
            #expect(text.firstMatch(of: /20\d\d-[\-0-9: ]*…|\d\d:\d\d[\d:]*…|\d\.\d+ ?m?…/) == nil, "\(what)")
        }
    }

    /// At every width, what was written is there, in its order, and a command is on one line.
    @Test(arguments: 20...130) func wrappedTextIsWhole(width: Int) {
        let quoted = "clawradar pair 'Home, sweet; home.'"
        let texts = [
            Self.reason, "try `\(quoted)`, or ask again.", "\(quoted). Then look", "x (\(quoted))",
            String(repeating: "漢字", count: 50), "a", "",
        ]
        for text in texts {
            let lines = WrappedText.lines(text, width: width)
            let live = WrappedText.lines(text, width: width, isLive: true)
            for found in [lines, live] {
                let bare = found.joined().filter { !$0.isWhitespace }
                #expect(bare == text.filter { !$0.isWhitespace }, "\(found)")
            }
            #expect(live.allSatisfy { DisplayWidth.of($0) <= width }, "\(live)")
            for command in [Self.command, quoted] where text.contains(command) && width >= 40 {
                #expect(lines.contains { $0.contains(command) }, "\(lines)")
            }
        }
    }
}
