import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x28FC_76DA_3355_C672),
        (1, 0x4C26_BDF3_422D_D5E9),
        (2, 0x1C8A_D5A2_C287_7310),
        (3, 0x4188_E76B_B09A_F318),
        (4, 0x7A2E_AAEC_A627_33A3),
        (5, 0xDAAE_B3BB_F868_FA1D),
        (6, 0xA555_8467_9462_006C),
        (7, 0xE133_0F16_1A1E_FD19),
        (8, 0xB4C1_F6C3_921F_2E4E),
        (9, 0x7CB5_92A8_28DB_B044),
        (10, 0x82F5_8565_0B5B_F330),
        (11, 0xAE13_7DED_8812_ED41),
        (12, 0x465A_84ED_C536_DC21),
        (13, 0x2CF3_8113_4FA4_31D7),
        (14, 0x4489_A12E_E6C5_017D),
        (15, 0x41FA_9798_2BEF_81A8),
        (16, 0x6E67_9A79_451E_24B0),
        (17, 0x1C8D_903C_DFD5_43BC),
        (18, 0x3719_77C0_0C82_A62D),
        (19, 0x9534_90D6_5E7C_3B19),
        (20, 0x46C9_2AFC_2687_E195),
        (21, 0x8A6E_D1D4_F3D5_849F),
        (22, 0x6192_1736_C2D6_B520),
        (23, 0xB9C8_B78E_A9E7_A76B),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
