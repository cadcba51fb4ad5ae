internal import GatewayProtocol
internal import SafeFiles
internal import SystemPackage

/// The file of the sealing key, apart from the database: a copy of one opens nothing without the other.
struct KeyFile: Sendable {
    /// The file that is made where there is none.
    let path: FilePath

    /// The file that the service manager provides, if it does: read before the other, and never written.
    let credential: FilePath?

    init(_ location: StoreLocation) {
        path = FilePath(location.keyFile)
        credential = location.keyCredential.map { FilePath($0) }
    }

    /// Reads the key; `nil` when there is none.
    func read() throws(StoreError) -> SealingKey? {
        if let credential, let bytes = try readCredential(credential) { return try key(bytes, credential) }
        let bytes: [UInt8]?
        do throws(SafeFileError) {
            bytes = try SafeFile(path: path).read(limit: 4_096)
        } catch {
            throw StoreError(error)
        }
        guard let bytes else { return nil }
        return try key(bytes, path)
    }

    /// Writes the key, durably, to where it is read.
    func write(_ key: SealingKey) throws(StoreError) {
        if let provided {
            throw StoreError(
                .readOnly,
                path: provided.string,
                expected: "a key in the store's own file",
                found: "one that the service manager provides, which is read instead. Replace that file"
            )
        }
        do throws(SafeFileError) {
            try PrivateFolder(path: path.removingLastComponent()).prepareWithParents()
            try SafeFile(path: path).write(key.text)
        } catch {
            throw StoreError(error)
        }
    }

    /// Removes what a crash left of a write.
    func sweep() {
        // A leftover that stays hinders nobody, and it is for its owner alone.
        try? SafeFile(path: path).sweep()
    }

    /// The file that the service manager provides, where it is there, readable or not.
    private var provided: FilePath? {
        guard let credential else { return nil }
        do throws(StoreError) {
            return try readCredential(credential) == nil ? nil : credential
        } catch {
            return credential
        }
    }

    /// The service manager's files belong to it, and it alone says who reads them.
    private func readCredential(_ path: FilePath) throws(StoreError) -> [UInt8]? {
        do throws(SafeFileError) {
            return try SafeFile.readPlain(path, limit: 4_096)
        } catch {
            guard error.code != .missing else { return nil }
            throw StoreError(error)
        }
    }

    private func key(_ bytes: [UInt8], _ path: FilePath) throws(StoreError) -> SealingKey {
        guard let key = SealingKey(Secret(bytes: bytes)) else { throw Self.noKey(path.string) }
        return key
    }

    static func noKey(_ path: String?) -> StoreError {
        StoreError(
            .sealed,
            path: path,
            expected: "a key of 64 hexadecimal digits",
            found: "something else. Put the right key there, from a backup"
        )
    }
}
