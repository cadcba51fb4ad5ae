import Foundation
import GatewayProtocol
import Testing

@testable import QRCodes

/// `pair --qr`: pictures that others have made, and some that are made to hurt.
@Suite(.timeLimit(.minutes(1))) struct PictureTests {
    private static let folder = FileManager.default.temporaryDirectory

    /// Indicates whether the libraries are there that read pictures, and a program that is not ours makes them.
    private static let canRead =
        QRReader() != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/qrencode")

    /// In CI nothing is skipped: what is missing there is a failure.
    private static let isWanted = canRead || ProcessInfo.processInfo.environment["CI"] == "true"

    /// Runs `pair` with a picture.
    private static func pair(_ bytes: [UInt8], environment: [String: String] = [:]) async throws -> Tool.Result {
        let file = folder.appending(path: "clawradar-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await Tool.run(["pair", "--qr", file.path, "--yes"], environment: environment)
    }

    /// A link whose host is no address, so that `pair` reads it and asks nobody.
    private static let code = "optaplus://pair?host=10.0.0.1&port=0&token=t0ken"

    @Test(.enabled(if: isWanted, "no qrencode, libzbar0 or libpng16-16"), arguments: ["PNG", "ASCII"])
    func aCodeOfAnotherProgramIsRead(_ type: String) async throws {
        let result = try await Self.pair(try await Self.encode(Self.code, type))
        #expect(result.status == 64 && result.errors.contains("found something else"), "\(result.errors)")
        #expect(result.errors.contains("The link cannot be used") && !result.errors.contains("t0ken"))
    }

    @Test(.enabled(if: isWanted, "no qrencode, libzbar0 or libpng16-16"))
    func whatIsNoInvitationIsSaid() async throws {
        let result = try await Self.pair(try await Self.encode("https://example.org", "PNG"))
        #expect(result.status == 64 && result.errors.contains("expected a link or a code"), "\(result.errors)")
        let empty = try await Self.pair(Array("P1 2 2 0000".utf8))
        #expect(empty.status == 64 && empty.errors.contains("expected a QR code"), "\(empty.errors)")
    }

    /// A setup code with eight addresses and a certificate makes a large symbol, of 97 modules.
    @Test(.enabled(if: isWanted, "no qrencode, libzbar0 or libpng16-16"), arguments: ["PNG", "ASCII"])
    func aCodeWithEightAddressesIsRead(_ type: String) async throws {
        let urls = (1...8).map { #""wss://gateway-\#($0).home.example.org:18789/claw""# }
        let json =
            #"{"url":\#(urls[0]),"urls":[\#(urls.joined(separator: ","))],"expiresAtMs":1,"#
            + #""bootstrapToken":"\#(String(repeating: "t0ken", count: 9))","#
            + #""tlsFingerprint":"\#(String(repeating: "5f", count: 32))"}"#
        let code = "oc-pair://" + Base64.url.encode(Array(json.utf8))
        let picture = try await Self.encode(code, type)
        let reader = try #require(QRReader())
        #expect(reader.codes(in: try GreyPicture(parsing: picture)) == [Array(code.utf8)])
        // On a dark screen it is light.
        #expect(reader.codes(in: try GreyPicture(parsing: picture).inverted) == [Array(code.utf8)])
        try await StoreOfTool.with([]) { store in
            // It has expired, so that nobody is asked.
            let result = try await Self.pair(picture, environment: store.environment)
            #expect(result.status == 1 && result.errors.contains("has expired"), "\(result.errors)")
            #expect(!result.errors.contains("t0ken"))
        }
    }

    /// A hundred million pixels, whose rows are all there: 0.6 MB of file that 100 MB come out of. And the largest picture
    /// that is read.
    @Test(
        .enabled(if: isWanted && FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "no zsh or libpng16-16"),
        arguments: [(10_000, 1, "at most 16 million pixels"), (4_000, 0, "found none")] as [(Int, Int32, String)]
    )
    func aBombCostsNeitherTimeNorMemory(_ side: Int, _ status: Int32, _ message: String) async throws {
        // What is made like this is a picture.
        #expect(try GreyPicture(parsing: PictureBomb.png(side: 300)).pixels == Array(repeating: 0, count: 90_000))
        let file = Self.folder.appending(path: "clawradar-\(UUID().uuidString)")
        try Data(PictureBomb.png(side: side)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await Tool.run(["pair", "--qr", file.path, "--yes"])
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.status == (status == 0 ? 64 : status), "\(result)")

        // The peak of a process and the time it has had the processor, which does not depend on what else runs, are told to the
        // one that waits for it, and those of this one must not count.
        let script = "TIMEFMT='%M %U %S'; time '\(Tool.executable.path)' read-picture <'\(file.path)'"
        let measured = try await Tool.run(["-fc", script], of: URL(filePath: "/usr/bin/zsh"))
        let figures = try #require(measured.errors.split(separator: "\n").last, "\(measured)").split(separator: " ")
        try #require(figures.count == 3, "\(measured)")
        let peak = try #require(Int(figures[0]), "\(measured)")
        let seconds = try figures.dropFirst().map { try #require(Double($0.dropLast()), "\(measured)") }.reduce(0, +)
        print("a picture of \(side) x \(side) pixels: read in \(seconds) s, with \(peak) MB at most")
        #expect(seconds < 2)
        #expect(measured.status == status && (status == 0 || measured.errors.contains(message)), "\(measured)")
        #expect((5..<100).contains(peak))
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
