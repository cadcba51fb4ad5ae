#if QRCode
internal import CQREncode
#endif

extension QRSymbol {
    /// The reason why there is no symbol of a text.
    package enum Problem: String, Error, Hashable, Sendable, CustomStringConvertible {
        /// This program was built without libqrencode.
        case notBuilt = "this program was built without QR codes"
        /// The text is empty, or does not fit into the largest symbol.
        case tooLong = "expected a text of 1 to 2,331 bytes for a QR code, found another one"
        /// The library has no memory left.
        case noMemory = "expected memory for a QR code, found none"

        /// A sentence for people.
        package var description: String { rawValue }
    }

    /// The most bytes that the largest symbol holds at the level of correction that is used (ISO/IEC 18004 §7.4).
    private static let mostBytes = 2_331

    /// Makes the smallest symbol of a text, at a level of error correction that survives a scratch or a fold (M).
    package init(encoding text: String) throws(Problem) {
        #if QRCode
        guard (1...Self.mostBytes).contains(text.utf8.count) else { throw .tooLong }
        // The bytes are copied by the library, and the symbol is copied here before it is freed.
        let made = Array(text.utf8).withUnsafeBufferPointer { bytes in
            QRcode_encodeData(Int32(bytes.count), bytes.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let made else { throw .noMemory }
        defer { QRcode_free(made) }
        let size = Int(made.pointee.width)
        // The lowest bit of each module says whether it is dark.
        let modules = UnsafeBufferPointer(start: made.pointee.data, count: size * size).map { $0 & 1 == 1 }
        guard let symbol = QRSymbol(size: size, modules: modules) else { throw .noMemory }
        self = symbol
        #else
        throw .notBuilt
        #endif
    }
}
