#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The name of this host, as a device is called at first: its first label.
enum HostName {
    static var current: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, whatever is cut.
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "clawradar" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let label = name.split(separator: ".").first.map(String.init) ?? ""
        return label.isEmpty ? "clawradar" : label
    }
}
