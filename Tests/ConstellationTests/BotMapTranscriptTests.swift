import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x0EDF_CCCB_37DB_C134), (1, 0xE01D_557D_940F_C34A), (2, 0xA4A1_F5A9_E6A7_552F),
        (3, 0xA4F2_2D2B_BE53_8E60), (4, 0x58B0_CBB8_F9C5_14E9), (5, 0xE42F_B37F_8839_2534),
        (6, 0xD78A_6CC3_661D_BBDD), (7, 0xFFE2_54AC_5D21_6A0F), (8, 0x3BF4_19E3_574C_06C0),
        (9, 0xBFC5_B9EA_9C2B_C494), (10, 0x597C_FADD_8C67_026D), (11, 0xE03B_D726_E67E_7495),
        (12, 0x4416_D0CC_0D93_0155), (13, 0x4B79_4453_5B35_A327), (14, 0xDD99_1C1D_E77B_6A42),
        (15, 0x9381_6887_CF7B_07C1), (16, 0x24D3_2AF9_E122_E60F), (17, 0x2BA4_A0E5_1DD3_3428),
        (18, 0xBD2E_DC70_3A5A_3F6E), (19, 0x1215_FE30_53B3_6392), (20, 0x3773_EDFE_F017_3B30),
        (21, 0xFC57_36E9_357F_3669), (22, 0x3B15_E133_418D_1B27), (23, 0x8F5D_69C1_2BC2_1618),
        (24, 0x9914_C243_E1F0_9F9C), (25, 0xA4EE_C287_274A_0089), (26, 0x6378_395E_5AB1_43E7),
        (27, 0x7BC8_F4A9_5570_9F1A), (28, 0xC6AB_5FBC_07E0_0A05), (29, 0x4980_35AD_C64B_0695),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
