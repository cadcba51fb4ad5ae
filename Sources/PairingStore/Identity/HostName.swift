#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The first label of this host's name, which a device has as its name at first.
enum HostName {
    static var current: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, even if the name is truncated.
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "clawradar" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let label = name.split(separator: ".").first.map(String.init) ?? ""
        return label.isEmpty ? "clawradar" : label
    }
}
