internal import HostSystem

/// A reader of the QR codes in a picture, which is libzbar.
package struct QRReader {
    /// The most codes that are read from one picture.
    private static let mostCodes = 16

    /// The most pixels of a picture that is looked through twice: those of a screen of 3840 by 2160.
    private static let mostInverted = 8_500_000

    /// `zbar_symbol_type_t` and `zbar_config_t` of zbar.h.
    private static let (allKinds, qrCode, enable): (Int32, Int32, Int32) = (0, 64, 0)

    /// The format of 8-bit grey as zbar names it: the characters `Y800`.
    private static let grey: UInt = 0x3030_3859

    private typealias Create = @convention(c) () -> OpaquePointer?
    private typealias Destroy = @convention(c) (OpaquePointer) -> Void
    private typealias Configure = @convention(c) (OpaquePointer, Int32, Int32, Int32) -> Int32
    private typealias SetFormat = @convention(c) (OpaquePointer, UInt) -> Void
    private typealias SetSize = @convention(c) (OpaquePointer, UInt32, UInt32) -> Void
    private typealias SetData = @convention(c) (OpaquePointer, UnsafeRawPointer, UInt, OpaquePointer?) -> Void
    private typealias Scan = @convention(c) (OpaquePointer, OpaquePointer) -> Int32
    private typealias Next = @convention(c) (OpaquePointer) -> OpaquePointer?
    private typealias Text = @convention(c) (OpaquePointer) -> UnsafePointer<UInt8>?
    private typealias Length = @convention(c) (OpaquePointer) -> UInt32

    private let library: SharedLibrary

    /// Creates a reader; `nil` if there is no libzbar.
    package init?() {
        guard let library = SharedLibrary("libzbar.so.0") else { return nil }
        self.library = library
    }

    /// Returns the contents of the codes in a picture, at most 16, whether they are dark on a light ground or light on a dark
    /// one; `nil` if the library is another one than expected, or has no memory left.
    package func codes(in picture: GreyPicture) -> [[UInt8]]? {
        guard let found = darkCodes(in: picture) else { return nil }
        guard found.isEmpty, picture.pixels.count <= Self.mostInverted else { return found }
        return darkCodes(in: picture.inverted)
    }

    /// Returns the contents of the codes whose modules are dark, as the library expects them.
    private func darkCodes(in picture: GreyPicture) -> [[UInt8]]? {
        guard let createScanner = library.function("zbar_image_scanner_create", as: Create.self),
            let destroyScanner = library.function("zbar_image_scanner_destroy", as: Destroy.self),
            let configure = library.function("zbar_image_scanner_set_config", as: Configure.self),
            let createImage = library.function("zbar_image_create", as: Create.self),
            let destroyImage = library.function("zbar_image_destroy", as: Destroy.self),
            let setFormat = library.function("zbar_image_set_format", as: SetFormat.self),
            let setSize = library.function("zbar_image_set_size", as: SetSize.self),
            let setData = library.function("zbar_image_set_data", as: SetData.self),
            let scan = library.function("zbar_scan_image", as: Scan.self),
            let scanner = createScanner()
        else { return nil }
        defer { destroyScanner(scanner) }
        guard configure(scanner, Self.allKinds, Self.enable, 0) == 0,
            configure(scanner, Self.qrCode, Self.enable, 1) == 0, let image = createImage()
        else { return nil }
        defer { destroyImage(image) }
        setFormat(image, Self.grey)
        setSize(image, UInt32(picture.width), UInt32(picture.height))
        // The image does not own the pixels, and ends before they do.
        return picture.pixels.withUnsafeBytes { pixels -> [[UInt8]]? in
            guard let start = pixels.baseAddress else { return [] }
            setData(image, start, UInt(pixels.count), nil)
            guard scan(scanner, image) >= 0 else { return nil }
            return contents(of: image)
        }
    }

    /// Copies the contents of the codes that were found in an image.
    private func contents(of image: OpaquePointer) -> [[UInt8]]? {
        guard let first = library.function("zbar_image_first_symbol", as: Next.self),
            let next = library.function("zbar_symbol_next", as: Next.self),
            let text = library.function("zbar_symbol_get_data", as: Text.self),
            let length = library.function("zbar_symbol_get_data_length", as: Length.self)
        else { return nil }
        var found: [[UInt8]] = []
        var symbol = first(image)
        while let code = symbol, found.count < Self.mostCodes {
            if let bytes = text(code) {
                found.append(Array(UnsafeBufferPointer(start: bytes, count: Int(length(code)))))
            }
            symbol = next(code)
        }
        return found
    }
}
