internal import HostSystem

/// Packing by zlib, which is looked for when the page is first asked for; libpng and dpkg need it, too.
struct Deflate {
    /// `compress2` of `<zlib.h>`.
    private typealias Compress =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>?, CUnsignedLong,
            CInt
        ) -> CInt

    private let compress: Compress

    /// Finds the library; `nil` if it is not there.
    init?() {
        guard let compress = SharedLibrary("libz.so.1")?.function("compress2", as: Compress.self) else { return nil }
        self.compress = compress
    }

    /// Packs bytes (RFC 1950); `nil` where that does not make them shorter.
    func packed(_ bytes: [UInt8]) -> [UInt8]? {
        var size = CUnsignedLong(bytes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            let status = compress(buffer.baseAddress, &size, bytes, CUnsignedLong(bytes.count), 9)
            count = status == 0 ? Int(size) : 0
        }
        return packed.isEmpty ? nil : packed
    }
}
