internal import CPNG
internal import HostSystem

/// PNG, read by the simplified interface of libpng (libpng-manual §6), which reports errors as values.
extension GreyPicture {
    static let signatureOfPNG: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads a PNG. What is transparent counts as white.
    static func png(_ bytes: [UInt8]) throws(Problem) -> GreyPicture {
        // The size is in the header, and is looked at before anything is unpacked.
        guard bytes.count > 24 else { throw .corrupt }
        func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(at: 16), number(at: 20))
        let count = try count(width, height)
        guard let library = PNGLibrary() else { throw .noPNG }
        var pixels = [UInt8](repeating: 255, count: count)
        guard library.read(bytes, width, height, into: &pixels) else { throw .corrupt }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }
}

/// The functions of libpng that are used.
private struct PNGLibrary {
    private let begin: png_begin_read_from_memory
    private let finish: png_finish_read
    private let free: png_free

    init?() {
        guard let library = SharedLibrary("libpng16.so.16"),
            let begin = library.function("png_image_begin_read_from_memory", as: png_begin_read_from_memory.self),
            let finish = library.function("png_image_finish_read", as: png_finish_read.self),
            let free = library.function("png_image_free", as: png_free.self)
        else { return nil }
        (self.begin, self.finish, self.free) = (begin, finish, free)
    }

    /// Reads a picture of a known size as 8-bit grey.
    ///
    /// - Returns: Whether it is whole.
    func read(_ bytes: [UInt8], _ width: Int, _ height: Int, into pixels: inout [UInt8]) -> Bool {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        var white = png_color(red: 255, green: 255, blue: 255)
        // The library keeps the pointer to the image until it is freed, and reads the bytes in both calls.
        return withUnsafeMutablePointer(to: &image) { image in
            defer { free(image) }
            return bytes.withUnsafeBytes { source in
                guard let start = source.baseAddress, begin(image, start, source.count) != 0,
                    image.pointee.width == UInt32(width), image.pointee.height == UInt32(height)
                else { return false }
                image.pointee.format = UInt32(PNG_FORMAT_GRAY)
                return pixels.withUnsafeMutableBytes { target in
                    target.baseAddress.map { finish(image, &white, $0, Int32(width), nil) != 0 } ?? false
                }
            }
        }
    }
}
