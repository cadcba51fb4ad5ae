internal import SystemPackage

/// The folder of a process in `/proc` (proc(5)), as far as this user may read it.
struct ProcessFolder: Hashable, Sendable {
    /// The most bytes that are read of a file.
    static let mostBytes = 1 << 20

    /// The most processes that are looked at.
    private static let mostProcesses = 16_384

    let path: FilePath

    /// The folders of all processes that this user sees, in the order of their numbers.
    static var all: [ProcessFolder] {
        let numbers = ((try? FileCalls.names(in: "/proc")) ?? []).compactMap { Int32($0) }.sorted()
        return numbers.prefix(mostProcesses).map { ProcessFolder(path: FilePath("/proc/\($0)")) }
    }

    /// The number of its network namespace: that of a file which each namespace has of its own. The link that names the
    /// namespace is for those alone who may trace the process.
    var namespace: UInt64? { (try? FileCalls.status(path.appending("net/tcp")))?.number }

    /// Its command name, of which the kernel keeps 15 bytes, and the first words of its command line.
    var words: [String] {
        let name = Self.text(of: path.appending("comm"), most: 64).split(separator: "\n").first.map(String.init)
        let line = Self.text(of: path.appending("cmdline"), most: 4_096)
        return [name].compactMap(\.self) + line.split(separator: "\0").prefix(3).map(String.init)
    }

    /// The numbers of its sockets; `nil` if this user may not see them.
    var sockets: Set<UInt64>? {
        let folder = path.appending("fd")
        guard let names = try? FileCalls.names(in: folder) else { return nil }
        let files = names.filter { !$0.hasPrefix(".") }.compactMap { try? FileCalls.target(of: folder.appending($0)) }
        return Set(
            files.compactMap { file in
                file.hasPrefix("socket:[") ? UInt64(file.dropFirst("socket:[".count).dropLast()) : nil
            }
        )
    }

    /// Returns the text of a file of `/proc`; empty where there is none.
    static func text(of path: FilePath, most: Int = mostBytes) -> String {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
        defer { try? file.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, 65_536))
        while bytes.count < most, let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }),
            count > 0
        { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
