/// A picture in shades of grey, in which QR codes are looked for. A value.
package struct GreyPicture: Hashable, Sendable {
    /// The most bytes of a file.
    package static let mostBytes = 16 << 20

    /// The most pixels of a picture: a photograph of a telephone, halved.
    package static let mostPixels = 16_000_000

    /// The width in pixels.
    package let width: Int

    /// The height in pixels.
    package let height: Int

    /// The pixels, row by row: 0 is black, 255 white.
    package let pixels: [UInt8]

    /// The reason why a file is no picture.
    package enum Problem: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The file has more than ``GreyPicture/mostBytes`` bytes.
        case tooLong = "expected a file of at most 16 MiB, found a larger one"
        /// It begins like no PNG and no PNM.
        case format = "expected a PNG or PNM picture, found something else"
        /// It is a picture of a format that is not read.
        case jpeg = "expected a PNG or PNM picture, found a JPEG: convert it, such as with `convert IN.jpg OUT.png`"
        case webP = "expected a PNG or PNM picture, found a WebP: convert it, such as with `convert IN.webp OUT.png`"
        case gif = "expected a PNG or PNM picture, found a GIF: convert it, such as with `convert IN.gif OUT.png`"
        case heif =
            "expected a PNG or PNM picture, found a HEIF or AVIF: convert it, such as with `convert IN.heic OUT.png`"
        /// It has more than ``GreyPicture/mostPixels`` pixels, or none.
        case size = "expected a picture of at most 16 million pixels, found a larger or empty one"
        /// It ends early, or says what no picture says.
        case corrupt = "expected a whole picture, found a damaged one"
        /// There is no libpng.
        case noPNG = "expected the library libpng16 for a PNG, found none: it is in the package libpng16-16"

        /// A sentence for people.
        package var description: String { rawValue }
    }

    /// Creates a picture; the pixels are as many as the size says.
    init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The same picture with black and white exchanged.
    var inverted: GreyPicture { GreyPicture(width: width, height: height, pixels: pixels.map { 255 - $0 }) }

    /// Reads a PNG or a PNM.
    package init(parsing bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= Self.mostBytes else { throw .tooLong }
        if bytes.starts(with: Self.signatureOfPNG) {
            self = try Self.png(bytes)
        } else if bytes.first == UInt8(ascii: "P") {
            self = try Self.pnm(bytes)
        } else {
            throw Self.otherFormats.first { bytes.dropFirst($0.offset).starts(with: $0.mark) }?.problem ?? .format
        }
    }

    /// The formats of pictures that are not read, and the bytes that tell them.
    private static let otherFormats: [(offset: Int, mark: [UInt8], problem: Problem)] = [
        (0, [0xFF, 0xD8, 0xFF], .jpeg), (8, Array("WEBP".utf8), .webP), (0, Array("GIF8".utf8), .gif),
        (4, Array("ftyphei".utf8), .heif), (4, Array("ftypmif".utf8), .heif), (4, Array("ftypavif".utf8), .heif),
    ]

    /// Returns the number of pixels of a picture, if it is within the limit.
    static func count(_ width: Int, _ height: Int) throws(Problem) -> Int {
        guard width > 0, height > 0, width <= mostPixels, height <= mostPixels / width else { throw .size }
        return width * height
    }
}
