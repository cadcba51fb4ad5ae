import Foundation

/// A file with a secret, which only its owner may read.
struct SecretFile: Sendable {
    let path: String

    /// - Parameter secret: The secret; by default a random one.
    init(_ path: String, _ secret: String? = nil) throws {
        self.path = path
        let secret = secret ?? (0..<32).map { _ in String(UInt8.random(in: 16 ... .max), radix: 16) }.joined()
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(secret.utf8), attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}

/// The file in which a reference gateway, or an impostor, logs every secret that it receives.
struct SecretLogFile: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    /// The secrets so far, one for each element.
    var lines: [Substring] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n")
    }

    /// The lines with secrets that are not empty: who is asked whether it is OpenAgents gets an empty token.
    var secrets: [Substring] { lines.filter { !$0.contains(#""secret":"""#) } }
}
