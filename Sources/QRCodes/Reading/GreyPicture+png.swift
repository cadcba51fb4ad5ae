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
    /// The layout of `png_image` (png.h): a pointer, seven numbers of four bytes, and a message.
    private enum Image {
        static let size = 104
        static let version = 8
        static let width = 12
        static let height = 16
        static let format = 20
    }

    private typealias Begin = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, Int) -> Int32
    private typealias Finish =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer, Int32, UnsafeMutableRawPointer?
        ) ->
        Int32
    private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let begin: Begin
    private let finish: Finish
    private let free: Free

    init?() {
        guard let library = SharedLibrary("libpng16.so.16"),
            let begin = library.function("png_image_begin_read_from_memory", as: Begin.self),
            let finish = library.function("png_image_finish_read", as: Finish.self),
            let free = library.function("png_image_free", as: Free.self)
        else { return nil }
        (self.begin, self.finish, self.free) = (begin, finish, free)
    }

    /// Reads a picture of a known size as 8-bit grey (`PNG_FORMAT_GRAY`).
    ///
    /// - Returns: Whether it is whole.
    func read(_ bytes: [UInt8], _ width: Int, _ height: Int, into pixels: inout [UInt8]) -> Bool {
        let image = UnsafeMutableRawPointer.allocate(byteCount: Image.size, alignment: 16)
        image.initializeMemory(as: UInt8.self, repeating: 0, count: Image.size)
        defer { image.deallocate() }
        image.storeBytes(of: 1, toByteOffset: Image.version, as: UInt32.self)
        let white: [UInt8] = [255, 255, 255]
        // The library reads the bytes in both calls, and keeps neither pointer after the second.
        return bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress, begin(image, start, source.count) != 0 else {
                free(image)
                return false
            }
            let isOfSize =
                image.load(fromByteOffset: Image.width, as: UInt32.self) == UInt32(width)
                && image.load(fromByteOffset: Image.height, as: UInt32.self) == UInt32(height)
            image.storeBytes(of: 0, toByteOffset: Image.format, as: UInt32.self)
            let isWhole =
                isOfSize
                && pixels.withUnsafeMutableBytes { target in
                    target.baseAddress.map { finish(image, white, $0, Int32(width), nil) != 0 } ?? false
                }
            free(image)
            return isWhole
        }
    }
}
