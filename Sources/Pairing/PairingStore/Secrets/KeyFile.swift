internal import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// The file of the sealing key, kept apart from the database: a copy of one opens nothing without the other.
struct KeyFile: Sendable {
    /// The store's own key file, which is created if there is none.
    let path: FilePath

    /// The key file that the service manager provides, if it does. It is read in preference to ``path``, and never
    /// written.
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

    /// Writes the key durably to the store's own file.
    func write(_ key: SealingKey) throws(StoreError) {
        do throws(SafeFileError) {
            try PrivateFolder(path: path.removingLastComponent()).prepareWithParents()
            try SafeFile(path: path).write(key.text)
        } catch {
            throw StoreError(error)
        }
    }

    /// The reason why others can enter the folder of the store's own file; `nil` if they cannot, or if there is none.
    var folderProblem: StoreError? {
        guard provided == nil else { return nil }
        do throws(SafeFileError) {
            try PrivateFolder(path: path.removingLastComponent()).check()
            return nil
        } catch {
            return error.code == .missing ? nil : StoreError(error)
        }
    }

    /// Removes the temporary files that a crash has left.
    func sweep() {
        // A leftover that cannot be removed does no harm: only its owner can read it.
        try? SafeFile(path: path).sweep()
    }

    /// The key file of the service manager, if it exists, readable or not.
    private var provided: FilePath? {
        guard let credential else { return nil }
        do throws(StoreError) {
            return try readCredential(credential) == nil ? nil : credential
        } catch {
            return credential
        }
    }

    /// Reads the service manager's file; `nil` if it is missing. Its owner and mode are not checked, since the service
    /// manager decides who may read it.
    private func readCredential(_ path: FilePath) throws(StoreError) -> [UInt8]? {
        do throws(SafeFileError) {
            return try SafeFile.readPlain(path, limit: 4_096)
        } catch {
            guard error.code != .missing else { return nil }
            throw StoreError(error)
        }
    }

    private func key(_ bytes: [UInt8], _ path: FilePath) throws(StoreError) -> SealingKey {
        if let key = SealingKey(Secret(bytes: bytes)) { return key }
        throw StoreError(
            .sealed,
            path: path.string,
            expected: "a key of 64 hexadecimal digits",
            found: "something else. Put the right key there, from a backup"
        )
    }
}
