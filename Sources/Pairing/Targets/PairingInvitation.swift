package import GatewayProtocol

/// A text by which a gateway invites a device: a link, a setup code, or a URL behind which there is one. The one parser
/// for all of them, wherever the text comes from; anybody can make one.
package enum PairingInvitation: Hashable, Sendable {
    /// `optaplus://pair?…`.
    case link(PairingLink)

    /// A setup code of an OpenClaw gateway, with or without `oc-pair://` before it.
    case setupCode(SetupCode)

    /// `https://HOST/j/CODE`.
    case join(JoinURL)

    /// The reason why a text is none.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// It is no link.
        case link(PairingLink.Problem)
        /// It is no setup code.
        case setupCode(SetupCode.Problem)
        /// It is no join URL.
        case join(JoinURL.Problem)

        /// A sentence for people; quotes nothing of the text, which holds a secret.
        package var description: String {
            switch self {
            case .link(let problem): "\(problem)"
            case .setupCode(let problem): "\(problem)"
            case .join(let problem): "\(problem)"
            }
        }
    }

    /// The fewest characters of a text that is taken for a setup code by its characters alone: the shortest possible one
    /// has more.
    private static let shortestCode = 40

    /// Reads a text; `nil` if it is not meant as an invitation: an address, or a name.
    package init?(parsing text: String) throws(Problem) {
        let trimmed = Self.trimmed(text)
        let lower = trimmed.prefix(16).lowercased()
        if lower.hasPrefix("optaplus:") {
            do throws(PairingLink.Problem) { self = .link(try PairingLink(parsing: trimmed)) } catch {
                throw .link(error)
            }
        } else if lower.hasPrefix("oc-pair:") || Self.isCode(trimmed) {
            do throws(SetupCode.Problem) {
                self = .setupCode(try SetupCode(parsing: Secret(trimmed)))
            } catch {
                throw .setupCode(error)
            }
        } else if JoinURL.isMeant(by: trimmed) {
            do throws(JoinURL.Problem) { self = .join(try JoinURL(parsing: trimmed)) } catch { throw .join(error) }
        } else {
            return nil
        }
    }

    /// Indicates whether a text is a setup code by its characters: base64url of a text that begins with `{`.
    private static func isCode(_ text: String) -> Bool {
        guard text.utf8.count >= shortestCode, text.hasPrefix("e") else { return false }
        let start = Base64.url.decode(text.prefix(4)) ?? []
        return start.first == UInt8(ascii: "{") && !text.contains { " .:/".contains($0) }
    }

    /// Returns a text without what programs put around a link or a code, and people copy with it: spaces, brackets, quotation
    /// marks, the end of a sentence; and the ends of lines within, where it was wrapped.
    private static func trimmed(_ text: String) -> String {
        let isAround = { (character: Character) in character.isWhitespace || "<>\"'“”‘’«»`".contains(character) }
        var words = text.drop(while: isAround)
        while let last = words.last, isAround(last) || ".,;!".contains(last) { words.removeLast() }
        // A name has one line: that of a gateway is read here for each suggestion, and the pattern takes its time.
        return String(words.contains { $0.isNewline } ? words.replacing(/[ \t]*\R[ \t]*/, with: "") : words)
    }
}
