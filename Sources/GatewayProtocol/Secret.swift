internal import Synchronization

/// A token or password: bytes that are sent to one peer, and never shown.
///
/// Whatever prints it, logs it, dumps it or looks into it with `Mirror` sees ``description``, and it cannot be encoded:
/// whoever stores or sends it says so with ``withUnsafeBytes(_:)`` or ``revealed``. Copies of the value share one storage,
/// which is overwritten with zeros when the last goes. What was made from it with these two is the caller's to keep short.
///
/// ## Usage
///
///     let token = Secret("0123")
///     print("paired with \(token)")  // "paired with <secret>"
///     frame.token = token.revealed
public struct Secret: Hashable, Sendable {
    private let storage: SecretStorage

    /// Makes a secret of a text, as UTF-8.
    public init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// Makes a secret of bytes, which are copied.
    public init(bytes: some Collection<UInt8>) {
        self.storage = SecretStorage(bytes)
    }

    /// Indicates whether there is no byte.
    public var isEmpty: Bool { storage.withBytes(\.isEmpty) }

    /// The secret as a text, which is `nil` where it is not UTF-8. For the one who sends or stores it.
    public var revealed: String? {
        storage.withBytes { String(validating: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes, which are valid during the call. For the one who sends or stores them.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withBytes(body)
    }

    /// Compares in a time that depends on the lengths alone: whoever guesses must not learn from the time how much of it
    /// is right.
    public static func == (lhs: Secret, rhs: Secret) -> Bool {
        lhs.storage.withBytes { one in
            rhs.storage.withBytes { other in
                var difference: UInt8 = one.count == other.count ? 0 : 1
                // A shorter one is compared to its end, and the rest with itself.
                for index in one.indices {
                    difference |= one[index] ^ (index < other.count ? other[index] : ~one[index])
                }
                return difference == 0
            }
        }
    }

    public func hash(into hasher: inout Hasher) {
        storage.withBytes { hasher.combine(bytes: $0) }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same text for every secret.
    public var description: String { "<secret>" }

    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The bytes of a ``Secret``.
///
/// An object, so that there is one copy and an end to it: arrays and strings leave copies where they were, and are freed
/// as they are.
private final class SecretStorage: Sendable {
    /// The bytes, in an array that nobody else has. They never change before the end; the lock is what lets `deinit` change
    /// them.
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: some Collection<UInt8>) {
        // `Array(bytes)` of an array would share its memory with the caller, and overwriting would be done to a copy.
        self.bytes = Mutex(
            [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                count = buffer.initialize(fromContentsOf: bytes)
            }
        )
    }

    deinit {
        bytes.withLock { Self.wipe(&$0) }
    }

    /// Calls `body` with the bytes. The lock is not held meanwhile: `body` may compare secrets.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Shares the memory, and lets it go before the caller lets go of us: in `deinit` it is ours alone.
        let bytes = bytes.withLock { $0 }
        return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Overwrites bytes. Not inlined: where the optimiser sees that they are freed next, it leaves the writing out.
    @inline(never)
    private static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { buffer in
            for index in buffer.indices { buffer[index] = 0 }
        }
    }
}
