/* The program of 4.4; and what it measures: three functions, called as often as in the example of 4.5. */
#include <nitro.h>

#define COSTSIZE 0x3000
#define STATSIZE 0x300

u32 CostBuffer[ COSTSIZE / sizeof(u32) ];
u32 StatBuffer[ STATSIZE / sizeof(u32) ];

void test1( void );
void test2( void );
void test3( void );

static void spin( int count ) __attribute__(( noinline, no_instrument_function ));
#pragma profile off
static void spin( int count ){ volatile int i; for ( i = 0; i < count; i++ ){} }
#pragma profile reset

void test3( void ){ spin( 10000 ); }
void test2( void ){ spin( 30000 ); test3(); }
void test1( void ){ spin( 5000 ); test2(); test2(); test2(); }

void NitroMain( void )
{
	OS_Init();
	OS_InitTick();

	/* ---- init functionCost */
	OS_InitFunctionCost( &CostBuffer, COSTSIZE );
	OS_InitStatistics( &StatBuffer, STATSIZE );    /* this may be done after measuring, too */

	test1();
	test3();

	/* ---- calculate cost */
	OS_CalcStatistics( &StatBuffer );

	/* ---- display functionCost */
	OS_DumpStatistics( &StatBuffer );
	OS_DumpStatisticsInclusive( &StatBuffer );
}
