package import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// The file in which a gateway's state is stored. Only its owner can read it, and it is never half written.
package struct StateFile: Hashable, Sendable {
    private static let limits = JSONLimits(maximumBytes: 4_194_304, maximumDepth: 8)

    /// The path of the file.
    package let path: String

    private var file: SafeFile { SafeFile(path: FilePath(path)) }

    package init(path: String) {
        self.path = path
    }

    /// Reads the state; `nil` when there is no file yet. Removes the files that a crash has left beside it.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`, also when others could read the secrets in it.
    package func read() throws(ReferenceGatewayError) -> GatewayState? {
        // A folder that cannot be listed must not keep the gateway from working.
        try? file.sweep()
        let bytes: [UInt8]?
        do throws(SafeFileError) {
            bytes = try file.read(limit: Self.limits.maximumBytes)
        } catch {
            throw failure(.unreadableState, "cannot be opened", error)
        }
        guard let bytes else { return nil }
        let json = try parse(bytes)
        do throws(ReferenceGatewayError) {
            return try GatewayState(json: json)
        } catch {
            throw ReferenceGatewayError(.unreadableState, "\(path): \(error.message).")
        }
    }

    /// Reads a list of bots from a file of its own, which holds no secrets.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`.
    package func readBots() throws(ReferenceGatewayError) -> [BotDescription] {
        let bytes: [UInt8]
        do throws(SafeFileError) {
            bytes = try SafeFile.readPlain(FilePath(path), limit: Self.limits.maximumBytes)
        } catch {
            throw failure(.unreadableState, "cannot be opened", error)
        }
        let json = try parse(bytes)
        do throws(ReferenceGatewayError) {
            return try GatewayState.bots(json: json)
        } catch {
            throw ReferenceGatewayError(.unreadableState, "\(path): \(error.message).")
        }
    }

    /// Writes the state, so that a crash leaves the old or the new one.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unwritableState`; or `notDurable`, after which the file has the new state.
    package func write(_ state: GatewayState) throws(ReferenceGatewayError) {
        do throws(SafeFileError) {
            try file.write(state.json.encoded + [0x0A])
        } catch {
            throw failure(error.code == .notDurable ? .notDurable : .unwritableState, "cannot be written", error)
        }
    }

    private func failure(
        _ code: ReferenceGatewayError.Code,
        _ what: String,
        _ error: SafeFileError
    ) -> ReferenceGatewayError {
        // The system's reason is enough, except for these two.
        guard let errno = error.errno, error.code != .symbolicLink, error.code != .notDurable else {
            return ReferenceGatewayError(code, "\(error)")
        }
        return ReferenceGatewayError(code, "\(path) \(what): \(errno).")
    }

    private func parse(_ bytes: [UInt8]) throws(ReferenceGatewayError) -> JSONValue {
        guard let json = try? JSONValue(parsing: bytes, limits: Self.limits) else {
            throw ReferenceGatewayError(.unreadableState, "\(path): expected JSON, found something else.")
        }
        return json
    }
}
