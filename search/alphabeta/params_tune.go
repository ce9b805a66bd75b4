// Code generated from params.go by tools/spsa; DO NOT EDIT.

//go:build tune

package alphabeta

const (
	maxPly            = 246
	maxDepth          = 128
	unit              = 1024
	tableCutoffRule50 = 90
)

var (
	aspirationDepth          = 4
	aspirationDelta          = 9
	aspirationSquare         = 12000
	aspirationLimit          = 600
	tableCutoffExpectedDepth = 5
	tableCutoffBonus         = 512
	evalHistoryFactor        = 6
	evalHistoryMax           = 900
	hindsightExtend          = 3
	hindsightReduce          = 90
	razorDepth               = 4
	razorBase                = 180
	razorFactor              = 110
	reverseFutilityDepth     = 9
	reverseFutilityFactor    = 70
	reverseFutilityWorsening = 17
	reverseFutilityReturn    = 3
	nullDepth                = 2
	nullMargin               = 120
	nullSlope                = 15
	nullBase                 = 4
	nullFactor               = 341
	nullEvalFactor           = 150
	nullEvalMax              = 3
	nullVerify               = 14
	probCutDepth             = 5
	probCutBase              = 170
	probCutImproving         = 50
	probCutReduction         = 4
	iirDepth                 = 4
	latePruningDepth         = 8
	latePruningBase          = 3
	captureFutilityDepth     = 7
	captureFutilityBase      = 200
	captureFutilityFactor    = 180
	captureFutilityHistory   = 80
	captureSEE               = -90
	captureSEEHistory        = 100
	historyPruningFactor     = -3500
	historyPly               = 8000
	futilityDepth            = 9
	futilityBase             = 80
	futilityFactor           = 85
	quietSEE                 = -22
	singularDepth            = 6
	singularTableDepth       = 3
	singularFactor           = 1024
	singularTablePV          = 512
	singularDoubleMargin     = 12
	singularTripleMargin     = 80
	negativeExtension        = -2
	lmrScale                 = 2130
	lmrBase                  = 256
	lmrNotImproving          = 768
	lmrPV                    = 512
	lmrTablePV               = 1024
	lmrTableAbove            = 512
	lmrTableDeep             = 512
	lmrCutNode               = 1536
	lmrNoTableMove           = 512
	lmrTableNoisy            = 768
	lmrCutoffs               = 768
	lmrCutoffCount           = 3
	lmrTableMove             = 2048
	lmrCorrection            = 10
	lmrHistory               = 102
	lmrNoisyHistory          = 85
	lmrDeeperMargin          = 30
	lmrShallowMargin         = 8
	lmrNullWindowStep        = 3
	alphaRaisedMin           = 2
	alphaRaisedMax           = 12
	bonusFactor              = 150
	bonusMax                 = 1700
	malusFactor              = 170
	malusMax                 = 1500
	bonusOffset              = 50
	bonusFailLow             = 512
	escapeFactor             = 40
	captureFactor            = 16
	badCaptureFactor         = 48
	tablePVDepth             = 3
	correctionFactor         = 170
	correctionPawn           = 26
	correctionOther          = 26
	correctionMoves          = 26
	correctionMax            = 1024
	deltaMargin              = 140
	quiescenceMoveCount      = 3
	quiescenceSEE            = -30
)

func init() {
	parameters = []Parameter{
		{"aspirationDepth", 1, 8, &aspirationDepth},
		{"aspirationDelta", 3, 20, &aspirationDelta},
		{"aspirationSquare", 4000, 24000, &aspirationSquare},
		{"aspirationLimit", 1, 1200, &aspirationLimit},
		{"tableCutoffExpectedDepth", 1, 10, &tableCutoffExpectedDepth},
		{"tableCutoffBonus", 1, 1024, &tableCutoffBonus},
		{"evalHistoryFactor", 1, 12, &evalHistoryFactor},
		{"evalHistoryMax", 1, 1800, &evalHistoryMax},
		{"hindsightExtend", 1, 6, &hindsightExtend},
		{"hindsightReduce", 1, 180, &hindsightReduce},
		{"razorDepth", 1, 8, &razorDepth},
		{"razorBase", 1, 360, &razorBase},
		{"razorFactor", 1, 220, &razorFactor},
		{"reverseFutilityDepth", 1, 18, &reverseFutilityDepth},
		{"reverseFutilityFactor", 1, 140, &reverseFutilityFactor},
		{"reverseFutilityWorsening", 1, 34, &reverseFutilityWorsening},
		{"reverseFutilityReturn", 1, 6, &reverseFutilityReturn},
		{"nullDepth", 1, 4, &nullDepth},
		{"nullMargin", 1, 240, &nullMargin},
		{"nullSlope", 1, 30, &nullSlope},
		{"nullBase", 1, 8, &nullBase},
		{"nullFactor", 1, 682, &nullFactor},
		{"nullEvalFactor", 1, 300, &nullEvalFactor},
		{"nullEvalMax", 1, 6, &nullEvalMax},
		{"nullVerify", 1, 28, &nullVerify},
		{"probCutDepth", 4, 10, &probCutDepth},
		{"probCutBase", 1, 340, &probCutBase},
		{"probCutImproving", 1, 100, &probCutImproving},
		{"probCutReduction", 2, 5, &probCutReduction},
		{"iirDepth", 2, 8, &iirDepth},
		{"latePruningDepth", 1, 16, &latePruningDepth},
		{"latePruningBase", 1, 6, &latePruningBase},
		{"captureFutilityDepth", 1, 14, &captureFutilityDepth},
		{"captureFutilityBase", 1, 400, &captureFutilityBase},
		{"captureFutilityFactor", 1, 360, &captureFutilityFactor},
		{"captureFutilityHistory", 1, 160, &captureFutilityHistory},
		{"captureSEE", -180, -1, &captureSEE},
		{"captureSEEHistory", 1, 200, &captureSEEHistory},
		{"historyPruningFactor", -7000, -1, &historyPruningFactor},
		{"historyPly", 1, 16000, &historyPly},
		{"futilityDepth", 1, 18, &futilityDepth},
		{"futilityBase", 1, 160, &futilityBase},
		{"futilityFactor", 1, 170, &futilityFactor},
		{"quietSEE", -44, -1, &quietSEE},
		{"singularDepth", 4, 10, &singularDepth},
		{"singularTableDepth", 1, 6, &singularTableDepth},
		{"singularFactor", 1, 2048, &singularFactor},
		{"singularTablePV", 1, 1024, &singularTablePV},
		{"singularDoubleMargin", 1, 24, &singularDoubleMargin},
		{"singularTripleMargin", 1, 160, &singularTripleMargin},
		{"negativeExtension", -4, -1, &negativeExtension},
		{"lmrScale", 1, 4260, &lmrScale},
		{"lmrBase", -512, 1024, &lmrBase},
		{"lmrNotImproving", 1, 1536, &lmrNotImproving},
		{"lmrPV", 1, 1024, &lmrPV},
		{"lmrTablePV", 1, 2048, &lmrTablePV},
		{"lmrTableAbove", 1, 1024, &lmrTableAbove},
		{"lmrTableDeep", 1, 1024, &lmrTableDeep},
		{"lmrCutNode", 1, 3072, &lmrCutNode},
		{"lmrNoTableMove", 1, 1024, &lmrNoTableMove},
		{"lmrTableNoisy", 1, 1536, &lmrTableNoisy},
		{"lmrCutoffs", 1, 1536, &lmrCutoffs},
		{"lmrCutoffCount", 1, 6, &lmrCutoffCount},
		{"lmrTableMove", 1, 4096, &lmrTableMove},
		{"lmrCorrection", 1, 20, &lmrCorrection},
		{"lmrHistory", 1, 204, &lmrHistory},
		{"lmrNoisyHistory", 1, 170, &lmrNoisyHistory},
		{"lmrDeeperMargin", 1, 60, &lmrDeeperMargin},
		{"lmrShallowMargin", 1, 16, &lmrShallowMargin},
		{"lmrNullWindowStep", 1, 6, &lmrNullWindowStep},
		{"alphaRaisedMin", 1, 4, &alphaRaisedMin},
		{"alphaRaisedMax", 1, 24, &alphaRaisedMax},
		{"bonusFactor", 1, 300, &bonusFactor},
		{"bonusMax", 1, 3400, &bonusMax},
		{"malusFactor", 1, 340, &malusFactor},
		{"malusMax", 1, 3000, &malusMax},
		{"bonusOffset", 1, 100, &bonusOffset},
		{"bonusFailLow", 1, 1024, &bonusFailLow},
		{"escapeFactor", 1, 80, &escapeFactor},
		{"captureFactor", 1, 32, &captureFactor},
		{"badCaptureFactor", 1, 96, &badCaptureFactor},
		{"tablePVDepth", 1, 6, &tablePVDepth},
		{"correctionFactor", 1, 340, &correctionFactor},
		{"correctionPawn", 1, 52, &correctionPawn},
		{"correctionOther", 1, 52, &correctionOther},
		{"correctionMoves", 1, 52, &correctionMoves},
		{"correctionMax", 1, 2048, &correctionMax},
		{"deltaMargin", 1, 280, &deltaMargin},
		{"quiescenceMoveCount", 1, 6, &quiescenceMoveCount},
		{"quiescenceSEE", -60, -1, &quiescenceSEE},
	}
}
