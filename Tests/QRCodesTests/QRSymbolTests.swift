import Foundation
import Testing

@testable import QRCodes

/// QR codes: what is drawn is the symbol, with its quiet zone, and a reader that is not ours reads it.
@Suite struct QRSymbolTests {
    private static let link =
        "optaplus://pair?host=192.168.1.50&port=3000&remote=wss%3A%2F%2Fbot.example.org&fp="
        + String(repeating: "5f0c", count: 16)

    /// A reader of another project, where it is installed.
    private static let reader = "/usr/bin/zbarimg"

    /// In CI nothing is skipped: a reader that is missing there is a failure.
    private static let isWanted =
        FileManager.default.isExecutableFile(atPath: reader) || ProcessInfo.processInfo.environment["CI"] == "true"

    @Test func aSymbolIsASquare() throws {
        #expect(QRSymbol(size: 2, modules: [true, false, true]) == nil)
        #expect(QRSymbol(size: 0, modules: []) == nil)
        let symbol = try #require(QRSymbol(size: 1, modules: [true]))
        #expect(symbol.framedSize == 9 && symbol.isDark(4, 4))
        #expect((0..<9).allSatisfy { $0 == 4 || !symbol.isDark($0, 4) && !symbol.isDark(4, $0) })
        #expect(!symbol.isDark(-1, 4) && !symbol.isDark(4, 99))
    }

    @Test func halvesOfACharacterAreTwoRows() throws {
        let symbol = try #require(QRSymbol(size: 2, modules: [true, false, true, true]))
        let lines = symbol.lines
        #expect(lines.count == 5)
        // Black on white, so that it looks the same on a dark and on a light terminal, and nothing of it stays behind.
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
        let (light, dark) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[38;5;231;48;5;16m")
        #expect(lines[2].hasPrefix("\(light)    \(dark) \(light)▄    "), "\(lines[2])")
        #expect(lines[0].contains(String(repeating: " ", count: 10)))
    }

    @Test func aPictureHasOnePathForAllModules() throws {
        let symbol = try #require(QRSymbol(size: 2, modules: [true, true, false, true]))
        #expect(symbol.svg.contains(#"d="M4 4h2v1h-2zM5 5h1v1h-1z""#), "\(symbol.svg)")
        #expect(symbol.svg.contains(#"viewBox="0 0 10 10""#))
    }

    @Test func whatDoesNotFitIsNoSymbol() {
        #expect(throws: QRSymbol.Problem.tooLong) { try QRSymbol(encoding: "") }
        #expect(throws: QRSymbol.Problem.tooLong) { try QRSymbol(encoding: String(repeating: "a", count: 2_332)) }
        #expect(throws: Never.self) { try QRSymbol(encoding: String(repeating: "a", count: 2_331)) }
    }

    /// A font of a terminal, by the pixels of a cell that its block elements leave out on each side: scalable fonts seldom
    /// fill a cell.
    struct Font: Sendable {
        static let (width, height) = (8, 17)
        let gap: Int

        /// Returns whether a block element covers a pixel of its cell.
        func covers(_ block: Character, _ column: Int, _ row: Int) -> Bool {
            guard (gap..<Self.width - gap).contains(column), (gap..<Self.height - gap).contains(row) else {
                return false
            }
            return switch block {
            case "\u{2580}": row < Self.height / 2
            case "\u{2584}": row >= Self.height / 2
            case "\u{2588}": true
            default: false
            }
        }
    }

    /// Returns the pixels of what a terminal shows, each dark or light.
    private static func pixels(_ lines: [String], _ font: Font) -> [[Bool]] {
        lines.flatMap { line in
            var isDarkGround = false
            var rows = [[Bool]](repeating: [], count: Font.height)
            var rest = line[...]
            while let first = rest.first {
                if first == "\u{1B}" {
                    let end = rest.firstIndex(of: "m") ?? rest.endIndex
                    isDarkGround = rest[..<end].hasSuffix("48;5;16")
                    rest = rest[end...].dropFirst()
                    continue
                }
                for row in rows.indices {
                    for column in 0..<Font.width {
                        rows[row].append(isDarkGround != font.covers(first, column, row))
                    }
                }
                rest = rest.dropFirst()
            }
            return rows
        }
    }

    /// A symbol that a terminal shows is read by zbar, also with a font that leaves gaps between its blocks.
    @Test(
        .enabled(if: isWanted, "no zbarimg: package zbar-tools"),
        arguments: [link, "wss://gw.local:18789", String(repeating: "Ü b", count: 200)],
        [Font(gap: 0), Font(gap: 1)]
    )
    func anotherReaderReadsIt(_ text: String, font: Font) throws {
        let symbol = try QRSymbol(encoding: text)
        let pixels = Self.pixels(symbol.lines, font)
        #expect(pixels.allSatisfy { $0.count == symbol.framedSize * Font.width })
        var picture = Array("P5\n\(symbol.framedSize * Font.width) \(pixels.count)\n255\n".utf8)
        for row in pixels { picture += row.map { $0 ? 0 : 255 } }
        let file = FileManager.default.temporaryDirectory.appending(path: "clawradar-\(UUID().uuidString).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(picture).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: Self.reader)
        process.arguments = ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let read = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(read == text + "\n")
    }
}
