package import GatewayProtocol

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The file that a gateway's state is kept in. Nobody but its owner can read it, and it is never half written.
package struct StateFile: Hashable, Sendable {
    private static let limits = JSONLimits(maximumBytes: 4_194_304, maximumDepth: 8)

    /// The path of the file.
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the state; `nil` when there is no file yet.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`, also when others could read the secrets in it.
    package func read() throws(ReferenceGatewayError) -> GatewayState? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(.unreadableState, "cannot be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.unreadableState, "cannot be looked at") }
        guard status.st_mode & 0o077 == 0 else {
            let message = "\(path) holds secrets, and others may read it. Run: chmod 600 \(path)"
            throw ReferenceGatewayError(.unreadableState, message)
        }
        let bytes = try Self.read(descriptor, path: path)
        do {
            return try GatewayState(json: try JSONValue(parsing: bytes, limits: Self.limits))
        } catch let error as ReferenceGatewayError {
            throw ReferenceGatewayError(.unreadableState, "\(path): \(error.message).")
        } catch {
            throw ReferenceGatewayError(.unreadableState, "\(path): expected JSON, found something else.")
        }
    }

    /// Reads a list of bots from a file of its own.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`.
    package func readBots() throws(ReferenceGatewayError) -> [BotDescription] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.unreadableState, "cannot be opened") }
        defer { close(descriptor) }
        let bytes = try Self.read(descriptor, path: path)
        guard let json = try? JSONValue(parsing: bytes, limits: Self.limits) else {
            throw ReferenceGatewayError(.unreadableState, "\(path): expected JSON, found something else.")
        }
        do throws(ReferenceGatewayError) {
            return try GatewayState.bots(json: json)
        } catch {
            throw ReferenceGatewayError(.unreadableState, "\(path): \(error.message).")
        }
    }

    /// Writes the state: to a file beside it, which then takes its place, so that a crash leaves the old or the new one.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unwritableState`.
    package func write(_ state: GatewayState) throws(ReferenceGatewayError) {
        let temporary = "\(path).\(getpid()).tmp"
        // What a process of the same number left when it crashed.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(.unwritableState, "cannot be written") }
        var isDone = false
        defer { if !isDone { unlink(temporary) } }
        let isWritten = Self.write(state.json.encoded + [0x0A], to: descriptor) && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten else { throw failure(.unwritableState, "cannot be written") }
        guard rename(temporary, path) == 0 else { throw failure(.unwritableState, "cannot be replaced") }
        isDone = true
        let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure(.unwritableState, "is in a folder that cannot be opened") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure(.unwritableState, "is in a folder that cannot be kept") }
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func failure(_ code: ReferenceGatewayError.Code, _ what: String) -> ReferenceGatewayError {
        ReferenceGatewayError(code, "\(path) \(what): \(String(cString: strerror(errno))).")
    }

    private static func read(_ descriptor: Int32, path: String) throws(ReferenceGatewayError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limits.maximumBytes {
            #if canImport(Glibc)
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, &buffer, buffer.count)
            #else
            let count = Darwin.read(descriptor, &buffer, buffer.count)
            #endif
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        throw ReferenceGatewayError(
            .unreadableState,
            "\(path): expected a file of at most \(limits.maximumBytes) bytes, found one that is longer or unreadable."
        )
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                Musl.write(descriptor, buffer.baseAddress, buffer.count)
                #else
                Darwin.write(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
