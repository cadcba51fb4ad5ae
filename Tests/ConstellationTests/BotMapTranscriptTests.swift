import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xB7F8_3096_3EED_2C23), (1, 0xDF4D_DC07_B824_C665), (2, 0x55E8_E4B6_F4FA_C7B5),
        (3, 0xEC12_0619_CE34_2E27), (4, 0x6BD4_8F8A_2C89_EF86), (5, 0x3BEF_ACB7_E459_D692),
        (6, 0x5FF9_3BC1_83EF_B912), (7, 0xCDD0_B0A1_FF98_FEC1), (8, 0x268D_B953_5FBB_8F34),
        (9, 0xF8C1_DBFE_C7D1_D1F4), (10, 0xBA2E_ACBE_DFF0_EF4C), (11, 0x3437_5108_43F5_8260),
        (12, 0x2B8A_A19C_CD40_4849), (13, 0xD499_9959_A892_C90E), (14, 0xC7F2_38AC_A72A_90F2),
        (15, 0x9DFC_AC94_F342_5480), (16, 0x67CC_4486_0A23_F3FD), (17, 0xDE0A_21F3_C1B6_C455),
        (18, 0x4723_6B4A_5250_3D14), (19, 0x0926_581E_5A72_CB6D), (20, 0x3460_6EAD_C199_FDD4),
        (21, 0x1F78_E499_1A9B_7A38), (22, 0xF72D_2DE6_BA1E_7D8F), (23, 0xAC4B_7D84_686F_5B2B),
        (24, 0x9E74_BC63_85D8_4A0A), (25, 0x37B1_2CB0_79F4_3C27), (26, 0x2D5E_3215_E476_170B),
        (27, 0xF3F3_FE9C_D9B3_D764), (28, 0x1F8F_38CD_4D9B_CF34), (29, 0xD7D5_2B6C_7AFF_1234),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
