import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x8625_2EDA_C728_2F9A), (1, 0xDF4D_DC07_B824_C665), (2, 0xABDD_34BE_96C3_1A7F),
        (3, 0xEC12_0619_CE34_2E27), (4, 0x1890_3C1C_FB14_0757), (5, 0x03CC_B470_3E13_97BF),
        (6, 0x5FF9_3BC1_83EF_B912), (7, 0x720C_A577_8A5D_D924), (8, 0x333C_508F_A24B_7F64),
        (9, 0x35D7_29BE_50DA_7B74), (10, 0x56A3_C8CF_20F6_6A5F), (11, 0x3437_5108_43F5_8260),
        (12, 0x2638_3F7C_DCC8_726E), (13, 0x1768_694F_D11D_E675), (14, 0xE6B6_888F_1287_83C8),
        (15, 0x9B4B_291C_67CE_5380), (16, 0xDB8B_E813_742A_7753), (17, 0x2039_F79A_D91F_7E80),
        (18, 0xB72D_8605_CFD6_DEFB), (19, 0xE682_A307_42DF_878F), (20, 0x2ABC_CFEB_B8CB_6D72),
        (21, 0x1F78_E499_1A9B_7A38), (22, 0xF72D_2DE6_BA1E_7D8F), (23, 0xBC1C_914A_45AD_8CB6),
        (24, 0x9E74_BC63_85D8_4A0A), (25, 0x8009_8F8F_605A_6F21), (26, 0xE4B2_924A_2C09_2A99),
        (27, 0x1D1E_95CE_0E50_0C34), (28, 0x9EC4_DF70_E97B_EFD5), (29, 0x5B08_31CC_C0EA_C6A3),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
