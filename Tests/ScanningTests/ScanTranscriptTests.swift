import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x25F4_B6A8_7368_7EB7),
        (1, 0x116D_1ED9_42B2_65F2),
        (2, 0xF070_D1CD_AF77_9B07),
        (3, 0x22BD_9280_2FB6_A5CA),
        (4, 0x3188_9D54_A05C_0B57),
        (5, 0x32BB_352C_310B_73FD),
        (6, 0x9250_C4A8_AFAA_DEB4),
        (7, 0x642A_DACA_6D24_CA98),
        (8, 0xC92A_899A_0C94_D43A),
        (9, 0x022A_E074_555D_F19D),
        (10, 0x68AB_7316_33D9_C5E6),
        (11, 0x0ACB_B05D_A73B_AE2B),
        (12, 0x498F_4A42_AB31_EAF5),
        (13, 0xB84B_1EFD_121D_1144),
        (14, 0xE8AD_28F8_29C8_170B),
        (15, 0xE2A4_AAA4_2874_3FFE),
        (16, 0xF4A8_6754_696A_BABF),
        (17, 0x66FA_426B_776E_2AF9),
        (18, 0x78DC_A6B0_86E3_43F3),
        (19, 0x51C3_8C9A_050D_21F2),
        (20, 0x8CD2_E197_FB33_9EB7),
        (21, 0x5F56_619E_51A7_A466),
        (22, 0xDC0D_D827_4E82_6C82),
        (23, 0x0767_CEA5_8E58_2777),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
