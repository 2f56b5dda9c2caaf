/* What a cartridge begins with: the console has its first 4 KB in the signal processor's memory, and is in there. The program comes
 * behind them, and goes where it is linked at: 64 KB. */
	.set	noreorder
	.set	noat
	.text
boot:
	lui	$8, 0xa460 /* the parallel interface */
	lui	$9, 0x0010
	sw	$9, 0($8)  /* to */
	lui	$9, 0x1000
	ori	$9, $9, 0x1000
	sw	$9, 4($8)  /* from */
	ori	$9, $0, 0xffff
	sw	$9, 12($8) /* so much, and one */
1:	lw	$9, 16($8)
	andi	$9, $9, 3
	bnez	$9, 1b
	nop
	lui	$9, 0x8010
	jr	$9
	nop
