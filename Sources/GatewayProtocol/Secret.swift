internal import Synchronization

/// A token or password: bytes that are sent to one peer, and never shown.
///
/// Code that prints, logs or dumps it, or inspects it with `Mirror`, sees only ``description``, and it cannot be
/// encoded: code that stores or sends it has to do so explicitly, with ``withUnsafeBytes(_:)`` or ``revealed``. Copies
/// of the value share one storage, which is overwritten with zeros when the last copy is destroyed. The caller must
/// keep short-lived whatever it makes from the secret with these two.
///
/// ## Usage
///
///     let token = Secret("0123")
///     print("paired with \(token)")  // "paired with <secret>"
///     let auth = JSONValue.object(["token": .secret(token)])
public struct Secret: Hashable, Sendable {
    private let storage: SecretStorage

    /// Makes a secret from a text, as UTF-8.
    public init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// Makes a secret from bytes, which are copied.
    public init(bytes: some Collection<UInt8>) {
        self.storage = SecretStorage(bytes)
    }

    /// Indicates whether the secret has no bytes.
    public var isEmpty: Bool { storage.withBytes(\.isEmpty) }

    /// The number of bytes.
    public var count: Int { storage.withBytes(\.count) }

    /// Indicates whether the secret is UTF-8. Checked without making a text of it, which would be a copy.
    public var isText: Bool {
        storage.withBytes { (try? UTF8Span(validating: $0.assumingMemoryBound(to: UInt8.self).span)) != nil }
    }

    /// The secret as text, a copy that is not wiped; `nil` where it is not UTF-8. Meant only for code that shows it:
    /// ``JSONValue/secret(_:)`` sends it without this copy.
    public var revealed: String? {
        storage.withBytes { String(validating: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes, which are valid during the call. Meant only for code that sends or stores them.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withBytes(body)
    }

    /// Compares in a time that depends on the lengths alone: an attacker who guesses must not learn from the time how
    /// much of a guess is right.
    public static func == (lhs: Secret, rhs: Secret) -> Bool {
        lhs.storage.withBytes { one in
            rhs.storage.withBytes { other in
                var difference: UInt8 = one.count == other.count ? 0 : 1
                // Bytes beyond the end of `other` are compared with their own complement, and so count as different.
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
    /// A text that is the same for every secret.
    public var description: String { "<secret>" }

    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The bytes of a ``Secret``.
///
/// A class, so that there is one copy of the bytes and a `deinit` that wipes it: arrays and strings leave copies
/// behind, and are freed without being overwritten.
private final class SecretStorage: Sendable {
    /// The bytes, in an array that nothing else refers to. They do not change before `deinit`; the lock is there so
    /// that `deinit` can change them.
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: some Collection<UInt8>) {
        // `Array(bytes)` of an array would share its memory with the caller, so that `deinit` would wipe a copy.
        self.bytes = Mutex(
            [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                count = buffer.initialize(fromContentsOf: bytes)
            }
        )
    }

    deinit {
        bytes.withLock { $0.wipe() }
    }

    /// Calls `body` with the bytes. The lock is not held during the call, since `body` may compare secrets.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // This copy shares the array's memory and is released before the caller releases `self`, so that in `deinit`
        // the array is uniquely referenced.
        let bytes = bytes.withLock { $0 }
        return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }
}
