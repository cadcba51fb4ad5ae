/// An obstacle to sessions with a paired gateway that does not go away by itself.
package enum Trouble: String, Hashable, Sendable, CaseIterable, Comparable {
    case changedCertificate = "changed-certificate"
    case moved
    case replaced
    case uncertified
    case refused
    case revoked

    var kind: Notice.Kind {
        switch self {
        case .changedCertificate: .changedCertificate
        case .moved: .moved
        case .replaced: .replaced
        case .uncertified: .uncertified
        case .refused: .refused
        case .revoked: .revoked
        }
    }

    /// The meaning, and what can be done.
    var meaning: String {
        switch self {
        case .changedCertificate: "nothing is sent to it. `clawradar status` shows how to accept the certificate"
        case .moved: "nothing is sent to it. `clawradar status` shows how to accept the new place"
        case .replaced: "it counts as gone. If that is your gateway, take its name back and give it anew"
        case .uncertified: "nothing is sent to it until a trusted certificate is shown there"
        case .refused: "`clawradar status` shows why"
        case .revoked: "pair with it again to get access"
        }
    }

    package static func < (left: Trouble, right: Trouble) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
