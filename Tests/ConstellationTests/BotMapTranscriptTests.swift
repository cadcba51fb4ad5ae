import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xAC8F_C7DB_2203_5032), (1, 0xA7DA_4367_E67E_C3EF), (2, 0x3F33_3156_C9AD_891F),
        (3, 0x20B1_DD77_11C3_81B8), (4, 0x5B8A_B212_BDE0_4773), (5, 0x4D6E_667C_601C_0752),
        (6, 0xDB51_9A1A_B6A9_A59A), (7, 0x3646_3EC1_079C_5675), (8, 0xEC98_9949_2663_6A4C),
        (9, 0x48B7_D1DD_AA72_A0F3), (10, 0xB5FE_6E28_C90B_3610), (11, 0x04C2_8BC1_B093_9DE4),
        (12, 0x7BFB_E961_7F7D_14B1), (13, 0x9CFD_3D25_2C67_DFCB), (14, 0xF963_E86C_B0E2_6AD6),
        (15, 0xF826_16A2_1D6E_420C), (16, 0x18E0_7E8E_9277_A33E), (17, 0xD892_4FEA_6EED_698E),
        (18, 0xF849_B365_5F2F_479D), (19, 0x26EF_A483_435B_F279), (20, 0x0F67_079E_11D6_6120),
        (21, 0x98CA_D0D7_FCCA_751B), (22, 0x3414_2B63_33B8_E8F6), (23, 0xA05C_6CE3_AF9F_EC10),
        (24, 0x4A4F_05BE_FB8E_1EEC), (25, 0xF4E2_7BE1_07B6_F5B9), (26, 0x8958_42DB_92D6_BED5),
        (27, 0x9598_F56C_FF7D_BC81), (28, 0xD5CB_034E_ABB4_E801), (29, 0x9EAC_E94E_E2B0_8DE1),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
