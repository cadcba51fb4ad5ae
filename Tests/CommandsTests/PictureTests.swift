import Foundation
import Testing

@testable import QRCodes

/// `pair --qr`: pictures that others have made, and some that are made to hurt.
@Suite(.timeLimit(.minutes(1))) struct PictureTests {
    private static let folder = FileManager.default.temporaryDirectory

    /// Indicates whether the libraries are there that read pictures, and a program that is not ours makes them.
    private static let canRead =
        QRReader() != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/qrencode")

    /// Runs `pair` with a picture.
    private static func pair(_ bytes: [UInt8]) async throws -> Tool.Result {
        let file = folder.appending(path: "clawradar-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await Tool.run(["pair", "--qr", file.path, "--yes"])
    }

    /// A link whose host is no address, so that `pair` reads it and asks nobody.
    private static let code = "optaplus://pair?host=10.0.0.1&port=0&token=t0ken"

    @Test(.enabled(if: canRead, "no qrencode, libzbar0 or libpng16-16"), arguments: ["PNG", "ASCII"])
    func aCodeOfAnotherProgramIsRead(_ type: String) async throws {
        let result = try await Self.pair(try await Self.encode(Self.code, type))
        #expect(result.status == 64 && result.errors.contains("found something else"), "\(result.errors)")
        #expect(result.errors.contains("The link cannot be used") && !result.errors.contains("t0ken"))
    }

    @Test(.enabled(if: canRead, "no qrencode, libzbar0 or libpng16-16"))
    func whatIsNoInvitationIsSaid() async throws {
        let result = try await Self.pair(try await Self.encode("https://example.org", "PNG"))
        #expect(result.status == 64 && result.errors.contains("expected a link or a code"), "\(result.errors)")
        let empty = try await Self.pair(Array("P1 2 2 0000".utf8))
        #expect(empty.status == 64 && empty.errors.contains("expected a QR code"), "\(empty.errors)")
    }

    @Test func whatIsNoPictureIsSaid() async throws {
        for bytes in [[], Array("GIF89a".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]] as [[UInt8]] {
            let result = try await Self.pair(bytes)
            #expect(result.status == 1 && result.errors.contains("expected a"), "\(result.errors)")
        }
        let missing = try await Tool.run(["pair", "--qr", "/nonexistent"])
        #expect(missing.status == 64 && missing.errors.contains("cannot be read"), "\(missing.errors)")
    }

    /// Makes a picture by the program qrencode: as PNG, or as characters that become a bitmap.
    private static func encode(_ text: String, _ type: String) async throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/qrencode")
        process.arguments = ["-t", type, "-o", "-", text]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard type == "ASCII" else { return output }
        // Each module is two characters wide, and one high.
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(Array.init)
        let side = lines.count
        let rows = lines.map { line in
            (0..<side).map { 2 * $0 < line.count && line[2 * $0] == "#" ? "1 1 1 1" : "0 0 0 0" }.joined(separator: " ")
        }
        let picture = rows.flatMap { Array(repeating: $0, count: 4) }.joined(separator: "\n")
        return Array("P1\n\(4 * side) \(4 * side)\n\(picture)\n".utf8)
    }
}
