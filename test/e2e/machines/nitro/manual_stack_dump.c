/* The program of 3.5.1. */
#include <nitro.h>

#define BUFFERSIZE 0x300
u32 buffer[BUFFERSIZE / sizeof(u32)];

int test1(int a);
int test2(int a);
int test3(int a);

int test1( int a ){ return test2( a + 1 ); }
int test2( int a ){ return test3( a + 2 ); }
int test3( int a ){ OS_DumpCallTrace(); return a + 4; }

void NitroMain( void )
{
	OS_Init();
	OS_InitCallTrace( &buffer, BUFFERSIZE, OS_CALLTRACE_STACK );
	(void) test1( 0x100 );
}
