--  Half of the calls of Inner raise an exception, which Catcher catches.
with Ada.Text_IO;

procedure Catches is
   Failed : exception;
   Sum : Integer := 0;

   procedure After is
   begin
      Sum := Sum + 1;
   end After;
   pragma No_Inline (After);

   procedure Inner (Turn : Integer) is
   begin
      if Turn mod 2 = 0 then
         raise Failed;
      end if;
      Sum := Sum + Turn;
   end Inner;
   pragma No_Inline (Inner);

   procedure Middle (Turn : Integer) is
   begin
      Inner (Turn);
      Sum := Sum + 1;
   end Middle;
   pragma No_Inline (Middle);

   procedure Catcher is
   begin
      for Turn in 1 .. 1000 loop
         begin
            Middle (Turn);
         exception
            when Failed =>
               After;
         end;
      end loop;
   end Catcher;
   pragma No_Inline (Catcher);
begin
   Catcher;
   Ada.Text_IO.Put_Line ("sum" & Integer'Image (Sum));
end Catches;
