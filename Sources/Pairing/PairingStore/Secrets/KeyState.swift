internal import SystemPackage

/// The key that opens the store's secrets, or the reason why there is none.
enum KeyState: Sendable {
    case available(SealingKey)
    case unavailable(StoreError)

    /// Looks for the key, and tries it on the one secret that every store has, the private key of the device. The first
    /// time, it binds the tokens that an earlier version has sealed.
    init(_ file: KeyFile, device: DeviceRow, _ database: StoreDatabase) {
        do throws(StoreError) {
            guard let key = try file.read() else {
                self = .unavailable(Self.missing(file))
                return
            }
            guard device.opens(with: key) else {
                self = .unavailable(Self.wrong(file))
                return
            }
            self.init(key, database)
        } catch {
            // Whatever is wrong with the file, the secrets are still there, and merely sealed.
            self = .unavailable(
                StoreError(.sealed, path: error.path, expected: error.expected, found: error.found)
            )
        }
    }

    private init(_ key: SealingKey, _ database: StoreDatabase) {
        do throws(StoreError) {
            try TokenBinding.complete(database, key)
            self = .available(key)
        } catch {
            // A full disk, for example: no token opens before all are bound.
            self = .unavailable(error)
        }
    }

    func key() throws(StoreError) -> SealingKey {
        switch self {
        case .available(let key): return key
        case .unavailable(let error): throw error
        }
    }

    private static func missing(_ file: KeyFile) -> StoreError {
        StoreError(
            .sealed,
            path: file.path.string,
            expected: "the key that the secrets of this store were sealed with",
            found: "no file. Put it back from a backup; a new one would open nothing, and is not made"
        )
    }

    private static func wrong(_ file: KeyFile) -> StoreError {
        StoreError(
            .wrongKey,
            path: file.path.string,
            expected: "the key that the secrets of this store were sealed with",
            found: "another one. Put the right one back from a backup"
        )
    }
}
