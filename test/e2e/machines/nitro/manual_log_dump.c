/* The programs of 3.4, log mode, and of 3.5.2, with the arguments that the dump there shows. */
#include <nitro.h>

#define TRACEBUFSIZE 0x300
u32 traceBuffer[ TRACEBUFSIZE / sizeof(u32) ];

int test1( int a );
int test2( int a );
int test3( int a );

int test1( int a ){ return test2( a + 1 ); }
int test2( int a ){ return test3( a + 2 ); }
int test3( int a ){ return a + 4; }

void NitroMain( void )
{
	OS_Init();

	/* ---- init callTrace (LOG mode) */
	OS_InitCallTrace( &traceBuffer, TRACEBUFSIZE, OS_CALLTRACE_LOG );
	(void) test1( 0x100 );
	(void) test1( 0x200 );

	/* ---- display callTrace */
	OS_DumpCallTrace();
}
