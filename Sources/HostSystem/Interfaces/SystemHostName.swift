internal import Glibc

/// The name of this host.
package enum SystemHostName {
    /// The first label of the current host name; `gateway` if there is none.
    package static var current: String { label ?? "gateway" }

    /// The first label of the current host name; `nil` if there is none.
    package static var label: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, even if the system does not terminate a name that it had to cut.
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let bytes = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
