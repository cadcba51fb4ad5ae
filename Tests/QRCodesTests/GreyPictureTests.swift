import TestSupport
import Testing

@testable import QRCodes

/// Pictures from anybody: each form is read as its definition says, and what is wrong is refused within bounds.
@Suite struct GreyPictureTests {
    private static func bytes(_ head: String, _ rest: [UInt8] = []) -> [UInt8] { Array(head.utf8) + rest }

    @Test(arguments: [
        (bytes("P1\n# a comment\n2 2\n10\n0 1"), [0, 255, 255, 0]), (bytes("P2 2 1 10 5 10"), [127, 255]),
        (bytes("P3 1 1 255 0 30 60"), [30]),
        (
            bytes("P4 9 2\n", [0x80, 0x80, 0x00, 0x00]),
            [0] + Array(repeating: 255, count: 7) + [0] + Array(repeating: 255, count: 9)
        ),
        (bytes("P5 2 1 255\n", [1, 2]), [1, 2]), (bytes("P5 1 1 65535\n", [0x80, 0]), [127]),
        (bytes("P6 2 1 255\n", [3, 3, 3, 0, 0, 255]), [3, 85]),
    ])
    func eachFormOfNetpbmIsRead(_ file: [UInt8], _ pixels: [UInt8]) throws {
        let picture = try GreyPicture(parsing: file)
        #expect(picture.pixels == pixels)
        #expect(picture.width * picture.height == pixels.count)
    }

    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]

    @Test(arguments: [
        (bytes(""), GreyPicture.Problem.format), (bytes("GIF89a"), .gif), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (bytes("RIFF1234WEBPVP8 "), .webP), (bytes("\0\0\0\u{1C}ftypheic"), .heif), (bytes("RIFF1234WAVE"), .format),
        (bytes("P7 1 1 1"), .format),
        (bytes("P"), .format), (bytes("P5"), .format), (bytes("P5 1"), .corrupt), (bytes("P5 0 1 255 "), .size),
        (bytes("P5 100000 1000 255 "), .size), (bytes("P5 9999999999 1 255 "), .corrupt),
        (bytes("P5 2 2 255\n", [1, 2, 3]), .corrupt), (bytes("P5 1 1 0\n", [1]), .corrupt),
        (bytes("P5 1 1 65536\n", [1, 1]), .corrupt), (bytes("P5 1 1 7\n", [8]), .corrupt),
        (bytes("P2 1 1 7 8"), .corrupt), (bytes("P1 1 1 2"), .corrupt), (png, .corrupt),
        // 100 megapixels, of which there is nothing: refused by the header alone.
        (png + [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10, 1, 0, 0, 0, 0], .size),
        (png + [0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 0, 1, 2, 3, 4], .corrupt),
    ])
    func whatIsNoPictureIsRefused(_ file: [UInt8], _ problem: GreyPicture.Problem) {
        #expect(throws: problem) { try GreyPicture(parsing: file) }
    }

    @Test func aFileThatIsTooLongIsRefused() {
        let file = [UInt8](repeating: 0, count: GreyPicture.mostBytes + 1)
        #expect(throws: GreyPicture.Problem.tooLong) { try GreyPicture(parsing: file) }
    }

    /// Whatever is changed in a picture, it is read within its bounds or refused.
    @Test func mutatedPictures() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("GreyPictureTests seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let files = [
            Self.bytes("P1 3 3 101 010 101"), Self.bytes("P3 1 2 9 1 2 3 4 5 6"), Self.bytes("P4 9 1\n", [1, 2]),
            Self.bytes("P6 1 1 300\n", [1, 2, 3, 4, 5, 6]),
        ]
        for _ in 0..<20_000 {
            var file = files[Int.random(in: 0..<files.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                file[Int.random(in: 1..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if let picture = try? GreyPicture(parsing: file) {
                #expect(picture.pixels.count == picture.width * picture.height, "\(file)")
            }
        }
    }
}
